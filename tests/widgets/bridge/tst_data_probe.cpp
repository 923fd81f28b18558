// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#problems: facts about the data come from `millrace inspect`, for which nothing
// waits.
#include "widgets/bridge/data_probe.h"

#include <csignal>

#include <QLabel>

#include "app/workbench/controllers/data_controller.h"
#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/window/main_window.h"
#include "core/codecs/encode.h"
#include "core/nodes/builtin.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/common/strings.h"
#include "widgets/models/node_display.h"

namespace millrace {

namespace {

using tests::kGenerousMs;

/// A folder with two classes, and among its files one that is a picture only by its name.
void writePhotos(const tests::TemporaryFolder& folder) {
  const std::vector<std::uint8_t> pixels(40 * 30 * 3, 120);
  const auto png = encodePng({pixels.data(), 40, 30, 3, 120});
  const std::string bytes(reinterpret_cast<const char*>(png->data()), png->size());
  for (const char* name : {"photos/cats/1.png", "photos/cats/2.png", "photos/dogs/1.png"})
    folder.write(name, bytes);
  folder.write("photos/dogs/broken.png", "no picture");
}

const char* const kReadsPhotos = R"({"format_version": 1, "nodes": [
  {"id": "source", "kind": "image_folder", "params": {"paths": ["photos"]}},
  {"id": "workers", "kind": "workers"}, {"id": "decode", "kind": "decode"},
  {"id": "resize", "kind": "resize", "params": {"width": 8, "height": 8}},
  {"id": "batch", "kind": "batch", "params": {"size": 2}},
  {"id": "prefetch", "kind": "prefetch"}, {"id": "drain", "kind": "drain"}],
  "wires": [{"from": "source", "to": "workers"}, {"from": "workers", "to": "decode"},
            {"from": "decode", "to": "resize"}, {"from": "resize", "to": "batch"},
            {"from": "batch", "to": "prefetch"}, {"from": "prefetch", "to": "drain"}]})";

/// A document that reads the photos, with the real engine or a script in its place.
class ProbeBench {
 public:
  ProbeBench() : session(builtinCatalog()), probe(session.document, session.check) {
    writePhotos(folder);
    folder.write("mine.millrace.json", kReadsPhotos);
    probe.setProgram(tests::kMillrace);
  }
  void script(const QByteArray& text) {
    probe.setProgram(tests::writeEngine(fileText(folder.path()), text));
  }
  bool opens() {
    return tests::openFile(session.document, fileText(folder.path() / "mine.millrace.json")).ok();
  }
  bool settles() {
    return QTest::qWaitFor([&] { return !probe.isAtWork() && session.check.isCurrent(); },
                           kGenerousMs);
  }
  QStringList warnings() {
    QStringList words;
    for (const Problem& problem : session.check.result().problems.all())
      if (problem.node == "source" && problem.field == "paths") words << toQt(problem.message);
    return words;
  }
  bool waitsFor(const char* file) {
    return QTest::qWaitFor([&] { return std::filesystem::exists(folder.path() / file); },
                           kGenerousMs);
  }

  tests::TemporaryFolder folder;
  EditSession session;
  DataProbe probe;
};

bool lives(const std::string& process) {
  return !process.empty() && ::kill(static_cast<pid_t>(std::stol(process)), 0) == 0;
}

}  // namespace

class TestDataLook : public QObject {
  Q_OBJECT
 private slots:
  void dataProblemsAreListedAtTheirParameter() {
    ProbeBench bench;
    QVERIFY(bench.opens() && bench.settles());
    QCOMPARE(bench.probe.found().size(), 1U);
    const DataFacts facts = bench.probe.found().front().second;
    QCOMPARE(facts.samples, 4);
    QCOMPARE(facts.classes, 2);
    QCOMPARE(facts.broken, 1);
    QVERIFY2(shownFacts(facts).startsWith("4 samples · 2 classes · "),
             qPrintable(shownFacts(facts)));
    QCOMPARE(bench.warnings().size(), 1);
    QVERIFY2(bench.warnings().front().startsWith("1 of 4 samples cannot be read, first ") &&
                 bench.warnings().front().contains("broken.png"),
             qPrintable(bench.warnings().front()));
    // Canvas and status count it like any other problem.
    QCOMPARE(bench.session.check.errors(), 0);
    const NodeDisplay display = displayOf(*bench.session.document.graph().node("source"),
                                          builtinCatalog(), bench.session.check.result());
    QCOMPARE(display.warnings, 1);
    // A pipeline that no longer reads them has no problems with them.
    bench.session.selection.set({"source"});
    bench.session.editor.removeSelected(Healing::Cut);
    QVERIFY(bench.settles());
    QVERIFY(bench.probe.found().empty() && bench.warnings().isEmpty());
  }

  void severalPathsOfASourceAreCountedTogether() {
    const auto at = [](const char* node, const char* path, std::int64_t samples) {
      DataFacts facts;
      facts.samples = samples;
      facts.bytes = 1000.0 * static_cast<double>(samples);
      return std::pair{DataPlace{node, "paths", path, "image_folder"}, facts};
    };
    QCOMPARE(shownData({}), QString());
    const QString one = shownData({at("source", "/a/real", 40)});
    QVERIFY2(one.startsWith("real · 40 samples · 40"), qPrintable(one));
    const QString both = shownData(
        {at("source", "/a/real", 40), at("source", "/a/drawn", 20), at("other", "/b", 7)});
    QVERIFY2(both.startsWith("real and 1 more · 60 samples · 60"), qPrintable(both));
  }

  /// `inspect` reads a folder as class folders by default; for another kind of source that warning
  /// does not apply.
  void aWarningForAnotherKindOfReaderIsDropped() {
    ProbeBench bench;
    const std::string png = tests::contentOf(bench.folder.path() / "photos/cats/1.png");
    for (const char* name : {"images/1.png", "images/2.png", "labels/1.png", "labels/2.png"})
      bench.folder.write(name, png);
    const std::string source = R"("image_folder", "params": {"paths": ["photos"]})";
    const auto reads = [&](const std::string& other) {
      std::string text = kReadsPhotos;
      text.replace(text.find(source), source.size(), other);
      bench.folder.write("mine.millrace.json", text);
      return bench.opens() && bench.settles();
    };
    QVERIFY(reads(R"("paired_folders", "params": {"input": "images", "target": "labels"})"));
    QCOMPARE(bench.probe.found().size(), 2U);
    for (const auto& [place, facts] : bench.probe.found()) {
      QCOMPARE(facts.samples, 2);
      QVERIFY2(problemsOf(place, facts).empty(), place.param.c_str());
      QVERIFY2(!shownFacts(facts).contains("class"), qPrintable(shownFacts(facts)));
    }
    // For a source of class folders it applies.
    QVERIFY(reads(R"("image_folder", "params": {"paths": ["images"]})"));
    QVERIFY2(bench.warnings().join(' ').contains("no class folders"),
             qPrintable(bench.warnings().join('\n')));
  }

  void whilePausedItUsesNoResources() {
    ProbeBench bench;
    bench.script("cd \"$(dirname \"$0\")\"; echo $$ > pid.new; mv pid.new pid; exec sleep 1000");
    QVERIFY(bench.opens() && bench.waitsFor("pid"));
    const std::string child = tests::contentOf(bench.folder.path() / "pid");
    QVERIFY(lives(child));
    bench.probe.setPaused(true);
    QVERIFY(!bench.probe.isAtWork());
    QVERIFY(QTest::qWaitFor([&] { return !lives(child); }, kGenerousMs));
    std::filesystem::remove(bench.folder.path() / "pid");
    bench.probe.setPaused(false);
    QVERIFY(bench.waitsFor("pid"));
    bench.probe.setPaused(true);
  }

  void aChildThatDiesOrWritesGarbageLeavesNoFacts_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::newRow("it dies") << QByteArray("kill -9 $$");
    QTest::newRow("it is not the engine") << QByteArray("echo hello");
    QTest::newRow("it cannot read the data") << QByteArray("echo '{\"readable\": false}'; exit 1");
    QTest::newRow("it reports other things")
        << QByteArray("echo '{\"readable\": true, \"samples\": \"x\", \"broken\": 3}'");
    QTest::newRow("it never stops writing") << QByteArray("exec yes");
  }
  void aChildThatDiesOrWritesGarbageLeavesNoFacts() {
    QFETCH(QByteArray, script);
    ProbeBench bench;
    bench.script(script);
    QVERIFY(bench.opens() && bench.settles());
    QVERIFY(bench.warnings().isEmpty());
  }

  void dataThatReappearsIsProbedAgain() {
    ProbeBench bench;
    const auto away = bench.folder.path() / "elsewhere";
    std::filesystem::rename(bench.folder.path() / "photos", away);
    QVERIFY(bench.opens() && bench.settles());
    QVERIFY(bench.probe.found().empty());
    std::filesystem::rename(away, bench.folder.path() / "photos");
    bench.probe.retryMissing();
    QVERIFY(bench.settles());
    QCOMPARE(bench.probe.found().size(), 1U);
  }

  /// Probing generated data would mean generating it.
  void generatedDataIsNotGeneratedForTheProbe() {
    const tests::TemporaryFolder cache;
    const QByteArray before = qgetenv("XDG_CACHE_HOME");
    qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(cache.path().string()));
    GraphNode source;
    source.id = source.kind = "image_folder";
    source.params["paths"] = Value{TextList{"sample:imagenet", "a/{00..09}.png", "", "mine"}};
    Graph graph;
    graph.nodes = {source};
    const std::vector<DataPlace> places = dataPlaces(graph, builtinCatalog(), "/data");
    qputenv("XDG_CACHE_HOME", before);
    QCOMPARE(places,
             (std::vector<DataPlace>{{"image_folder", "paths", "/data/mine", "image_folder"}}));
  }

  void theWindowShowsDataFactsAndPausesTheProbeDuringARun() {
    const tests::TemporaryFolder folder;
    writePhotos(folder);
    folder.write("mine.millrace.json", kReadsPhotos);
    MainWindow window(builtinCatalog());
    window.resize(1389, 868);
    window.show();
    window.controller().session().process().setProgram(tests::kMillrace);
    window.controller().setMeasure({0, 1000, 1});
    QVERIFY(tests::openIn(window, fileText(folder.path() / "mine.millrace.json")));
    auto* words = window.findChild<QLabel*>("data_facts");
    QVERIFY(words != nullptr);
    QVERIFY(QTest::qWaitFor([&] { return words->text().startsWith("photos · 4 samples"); },
                            kGenerousMs));
    QVERIFY(QTest::qWaitFor([&] { return window.action("run")->isEnabled(); }, kGenerousMs));
    window.controller().run();
    QVERIFY(window.controller().session().isRunning());
    window.data().probe()->retryMissing();
    QVERIFY(QTest::qWaitFor([&] { return !window.data().probe()->isAtWork(); }, kGenerousMs));
    window.controller().stop();
    QVERIFY(
        QTest::qWaitFor([&] { return !window.controller().session().isRunning(); }, kGenerousMs));
  }
};

}  // namespace millrace

using millrace::TestDataLook;
MILLRACE_TEST_CASE(TestDataLook)
#include "tst_data_probe.moc"
