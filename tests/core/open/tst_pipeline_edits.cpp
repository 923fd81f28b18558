// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/open/pipeline_edits.h"

#include "core/base/text/text.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/pipeline_request.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

constexpr const char* kDocument = R"({"format_version": 1, "nodes": [
  {"id": "from", "kind": "synthetic", "params": {"content": "image", "count": 5}},
  {"id": "cut", "kind": "random_crop", "params": {"height": 24, "width": 16, "pad": true}},
  {"id": "flip", "kind": "flip", "state": "bypass"},
  {"id": "batch", "kind": "batch"},
  {"id": "drain", "kind": "drain"}],
 "wires": [{"from": "from", "to": "cut"}, {"from": "cut", "to": "flip"},
           {"from": "flip", "to": "batch"}, {"from": "batch", "to": "drain"}]})";

/// The chain as "from cut (flip) batch drain", a bypassed node in brackets; or the problem.
std::string chainWith(const PipelineEdits& edits, std::optional<double> step = {},
                      std::vector<std::string> settings = {}) {
  PipelineRequest request;
  request.document = kDocument;
  request.edits = edits;
  request.stepSeconds = step;
  request.settings = std::move(settings);
  Problems problems;
  const auto loaded = loadRequest(request, problems);
  if (!loaded) return problems.all().front().text();
  std::vector<std::string> chain;
  for (NodeId at = "from"; !at.empty();) {
    const GraphNode& node = *loaded->graph.node(at);
    const std::string name = node.id == node.kind ? node.id : node.id + "=" + node.kind;
    chain.push_back(node.state == NodeState::On ? name : "(" + name + ")");
    NodeId next;
    for (const GraphWire& wire : loaded->graph.wires)
      if (wire.from == at) next = wire.to;
    at = next;
  }
  return join(chain, " ");
}

PipelineEdits with(std::vector<std::string> PipelineEdits::* which,
                   std::vector<std::string> texts) {
  PipelineEdits edits;
  edits.*which = std::move(texts);
  return edits;
}

bool says(const std::string& text, const char* part) {
  if (text.find(part) != std::string::npos) return true;
  qWarning("%s", text.c_str());
  return false;
}

}  // namespace

class TestPipelineEdits : public QObject {
  Q_OBJECT
 private slots:
  void nodesAreInsertedRemovedReplacedAndSwitched() {
    const std::string before = "from=synthetic cut=random_crop (flip) batch drain";
    QCOMPARE(chainWith({}), before);
    QCOMPARE(chainWith(with(&PipelineEdits::on, {"flip"})),
             std::string("from=synthetic cut=random_crop flip batch drain"));
    QCOMPARE(chainWith(with(&PipelineEdits::off, {"cut"})),
             std::string("from=synthetic (cut=random_crop) (flip) batch drain"));
    QCOMPARE(chainWith(with(&PipelineEdits::remove, {"cut", "flip"})),
             std::string("from=synthetic batch drain"));
    QCOMPARE(chainWith(with(&PipelineEdits::insert, {"jitter:cut", "soft=blur:jitter"})),
             std::string("from=synthetic cut=random_crop jitter soft=blur (flip) batch drain"));
    QCOMPARE(chainWith(with(&PipelineEdits::replace, {"cut=centre_crop"})),
             std::string("from=synthetic cut=centre_crop (flip) batch drain"));
  }

  void aReplacedNodeKeepsTheValuesThatTheNewKindAccepts() {
    const auto replaced = pipelineEditKinds().front().apply(
        *parseGraph(kDocument, builtinCatalog()).graph, builtinCatalog(), "cut=resize");
    QVERIFY(replaced.ok());
    const ParamValues& params = replaced->node("cut")->params;
    QCOMPARE(std::get<Value>(params.at("height")), Value{std::int64_t{24}});
    QCOMPARE(std::get<Value>(params.at("width")), Value{std::int64_t{16}});
    QVERIFY(!params.contains("pad"));
    QVERIFY(params.contains("filter"));
  }

  void settingsReachInsertedNodes() {
    QCOMPARE(chainWith(with(&PipelineEdits::insert, {"soft=blur:cut"}), {}, {"soft.kernel=5"}),
             std::string("from=synthetic cut=random_crop soft=blur (flip) batch drain"));
  }

  void aStepTakesTheConsumersPlace() {
    QCOMPARE(chainWith({}, 0.02),
             std::string("from=synthetic cut=random_crop (flip) batch emulated_step"));
    const auto graph =
        withStep(*parseGraph(kDocument, builtinCatalog()).graph, builtinCatalog(), 1);
    const auto again = withStep(*graph, builtinCatalog(), 0.02);
    QCOMPARE(again->nodes.size(), std::size_t{5});
    QCOMPARE(std::get<Value>(again->node("emulated_step")->params.at("seconds")), Value{0.02});
    QCOMPARE(withStep({}, builtinCatalog(), 1).ok(), false);
  }

  void whatIsWrongIsReportedWithTheSetting() {
    QVERIFY(says(chainWith(with(&PipelineEdits::insert, {"filp:cut"})),
                 "the setting `insert` filp:cut: there is no kind `filp`; did you mean `flip`?"));
    QVERIFY(says(chainWith(with(&PipelineEdits::insert, {"flip:ctu"})), "did you mean `cut`?"));
    QVERIFY(says(chainWith(with(&PipelineEdits::insert, {"flip"})), "KIND:AFTER"));
    QVERIFY(says(chainWith(with(&PipelineEdits::insert, {"Bad Id=flip:cut"})), "not a valid id"));
    QVERIFY(says(chainWith(with(&PipelineEdits::insert, {"flip:drain"})), "has no output"));
    QVERIFY(says(chainWith(with(&PipelineEdits::replace, {"cut"})), "NODE=KIND"));
    QVERIFY(says(chainWith(with(&PipelineEdits::replace, {"cut=crops"})), "did you mean `crop`?"));
    QVERIFY(says(chainWith(with(&PipelineEdits::off, {"batch"})), "cannot be bypassed"));
    QVERIFY(says(chainWith(with(&PipelineEdits::on, {"flop"})), "did you mean `flip`?"));
    QVERIFY(says(chainWith({}, {}, {"batch_size=8"}), "did you mean `batch.size`?"));
    QVERIFY(says(chainWith({}, {}, {"cut.batch_size=8"}), "did you mean `batch.size`?"));
  }
};

MILLRACE_TEST_CASE(TestPipelineEdits)

}  // namespace millrace

#include "tst_pipeline_edits.moc"
