// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/open/pipeline_request.h"

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/stored_document.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

/// Five samples from memory, of the node `from`.
constexpr const char* kSmall = R"({"format_version": 1, "nodes": [
  {"id": "from", "kind": "synthetic", "params": {"count": 5}},
  {"id": "batch", "kind": "batch", "params": {"size": 2}},
  {"id": "end", "kind": "drain"}],
 "wires": [{"from": "from", "to": "batch"}, {"from": "batch", "to": "end"}], "seed": 9})";

/// Pictures of the folder `photos`.
constexpr const char* kPhotos = R"({"format_version": 1, "nodes": [
  {"id": "from", "kind": "image_folder", "params": {"paths": ["photos"]}},
  {"id": "batch", "kind": "batch"},
  {"id": "end", "kind": "drain"}],
 "wires": [{"from": "from", "to": "batch"}, {"from": "batch", "to": "end"}]})";

std::string allOf(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems.all()) text += problem.text() + "\n";
  return text;
}

/// The graph as JSON; the problems where there is none.
std::string loadedText(const PipelineRequest& request) {
  Problems problems;
  const auto loaded = loadRequest(request, problems);
  return loaded ? graphText(loaded->graph, builtinCatalog()) : allOf(problems);
}

PipelineRequest inMemory(const char* document) {
  PipelineRequest request;
  request.document = document;
  return request;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class TestPipelineRequest : public QObject {
  Q_OBJECT
 private slots:
  void aFileIsReadAndItsFolderIsTheBase() {
    const tests::TemporaryFolder folder;
    folder.write("below/a.millrace.json", kSmall);
    PipelineRequest request;
    request.pipeline = folder.path() / "below/a.millrace.json";
    Problems problems;
    const auto loaded = loadRequest(request, problems);
    QVERIFY2(loaded.has_value(), allOf(problems).c_str());
    QCOMPARE(loaded->graph.seed, std::uint64_t{9});
    QCOMPARE(loaded->base, folder.path() / "below");
    request.base = folder.path() / "elsewhere";
    QVERIFY(!loadRequest(request, problems));
    QVERIFY(contains(problems.all().back().message, "there is no folder"));
    folder.write("elsewhere/x", "");
    QCOMPARE(loadRequest(request, problems)->base, folder.path() / "elsewhere");
  }

  void anExampleIsFoundByNameUnlessAFileHasThatName() {
    const tests::TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    PipelineRequest request;
    request.pipeline = "chess";
    const std::string example = loadedText(request);
    folder.write("chess", kSmall);
    const std::string file = loadedText(request);
    fs::current_path(before);
    QVERIFY(contains(example, "tfrecord"));
    QVERIFY(contains(file, "synthetic"));
  }

  void aNameThatIsNeitherOffersTheNearestExample() {
    PipelineRequest request;
    request.pipeline = "clasification";
    const std::string refused = loadedText(request);
    QVERIFY2(contains(refused,
                      "no such file, and no example with this name; did you mean "
                      "classification?"),
             refused.c_str());
    request.pipeline = "/nowhere/at/all";
    QVERIFY(contains(loadedText(request), "/nowhere/at/all: no such file"));
  }

  void aDocumentInHandReplacesTheFile() {
    PipelineRequest request = inMemory(kSmall);
    request.pipeline = "/nowhere/at/all";
    QVERIFY(contains(loadedText(request), "synthetic"));
    request.document = "{";
    QVERIFY(!contains(loadedText(request), "synthetic"));
  }

  void settingsAndSeedReplaceThoseOfTheDocument() {
    PipelineRequest request = inMemory(kSmall);
    request.seed = 77;
    request.settings = {"batch.size=3", "from.count=8", "batch.size=4"};
    Problems problems;
    const auto loaded = loadRequest(request, problems);
    QVERIFY2(loaded.has_value(), allOf(problems).c_str());
    QCOMPARE(loaded->graph.seed, std::uint64_t{77});
    const auto valueOf = [&](const char* node, const char* param) {
      const auto& value = std::get<Value>(loaded->graph.node(node)->params.find(param)->second);
      return std::get<std::int64_t>(value);
    };
    QCOMPARE(valueOf("batch", "size"), std::int64_t{4});
    QCOMPARE(valueOf("from", "count"), std::int64_t{8});
  }

  /// One start of the program reports all that is wrong with its arguments.
  void everySettingThatIsRefusedIsReportedWithItsOption() {
    PipelineRequest request = inMemory(kSmall);
    request.settings = {"batch.size=many", "batch.sise=4", "form.count=1", "count"};
    request.data = {"somewhere"};
    Problems problems;
    QVERIFY(!loadRequest(request, problems));
    std::vector<std::string> options;
    for (const Problem& problem : problems.all()) {
      QVERIFY(problem.severity == Severity::Error);
      options.push_back(problem.field);
    }
    QCOMPARE(options, (std::vector<std::string>{"the setting `data`", "setting batch.size=many",
                                                "setting batch.sise=4", "setting form.count=1",
                                                "setting count"}));
    QVERIFY(problems.all()[1].message.starts_with(
        "expected a whole number, found `many`; allowed: 1 to "));
    QVERIFY(contains(allOf(problems), "`count` is not of the form NODE.PARAM=VALUE"));
  }

  void dataOfTheRequestReplacesThePathsOfTheSource() {
    PipelineRequest request = inMemory(kPhotos);
    request.data = {"/other/a", "/other/b"};
    const std::string text = loadedText(request);
    QVERIFY2(contains(text, R"("/other/a", "/other/b")"), text.c_str());
    QVERIFY(!contains(text, R"("photos")"));
  }

  void aPreparedPipelineHasItsPlanAndItsData() {
    PipelineRequest request = inMemory(kSmall);
    Problems problems;
    auto loaded = loadRequest(request, problems);
    QVERIFY(loaded.has_value());
    const auto prepared =
        prepareLoaded(std::move(*loaded), request, {}, DeviceUse::HostOnly, problems);
    QVERIFY2(prepared.has_value(), allOf(problems).c_str());
    QVERIFY(!prepared->plan.stages.empty());
  }

  void dataThatIsMissingIsAProblemOfItsNode() {
    const tests::TemporaryFolder folder;
    PipelineRequest request = inMemory(kPhotos);
    request.base = folder.path();
    Problems problems;
    auto loaded = loadRequest(request, problems);
    QVERIFY(loaded.has_value());
    QVERIFY(!prepareLoaded(*loaded, request, {}, DeviceUse::HostOnly, problems));
    QVERIFY2(contains(allOf(problems), (folder.path() / "photos").native()),
             allOf(problems).c_str());
    QCOMPARE(problems.all().front().node, std::string("from"));
  }

  void theStoredDocumentDoesNotDependOnTheCurrentFolder() {
    const tests::TemporaryFolder folder;
    const auto loaded = parseGraph(kPhotos, builtinCatalog());
    QVERIFY(loaded.graph.has_value());
    const PreparedPipeline prepared{*loaded.graph, {}, folder.path()};
    const std::string stored = storedDocument(prepared);
    QVERIFY2(contains(stored, "\"" + (folder.path() / "photos").native() + "\""), stored.c_str());
    const auto again = parseGraph(stored, builtinCatalog());
    QVERIFY(again.graph.has_value());
    QCOMPARE(storedDocument({*again.graph, {}, "/elsewhere"}), stored);
  }
};

}  // namespace millrace

using millrace::TestPipelineRequest;
MILLRACE_TEST_CASE(TestPipelineRequest)
#include "tst_pipeline_request.moc"
