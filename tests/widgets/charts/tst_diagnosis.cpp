// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#what-limits-a-run: a diagnosis shows what limits a pipeline and how that was
// found, and its advice is applied as an edit that can be undone.
#include <QAction>
#include <QDockWidget>
#include <QJsonDocument>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QStatusBar>

#include "app/workbench/controllers/diagnose_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/window/main_window.h"
#include "core/nodes/builtin.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/stepped_pipeline.h"
#include "widgets/canvas/editor/pipeline_page.h"
#include "widgets/charts/diagnosis_view.h"
#include "widgets/charts/stall_bar.h"
#include "widgets/common/contrast.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/node_place.h"
#include "widgets/sweep/sweep_dialog.h"

namespace millrace {

namespace {

using tests::kGenerousMs;
using tests::parsed;

const std::string kDiagnosed = tests::steppedPipeline({.workers = 2, .stepSeconds = 0.001});

const char* const kResult = R"({"event": "result", "outcome": "finished", "run_id": "7",
  "samples_per_second": 804.2,
  "limit": {"kind": "workers_too_few", "node": "workers", "sure": "likely"},
  "evidence": [{"metric": "m", "value": 1, "meaning": "the region is busy 97 % of the time"}],
  "also": [{"kind": "decode", "node": "source", "share": 0.4,
            "evidence": [{"metric": "m", "value": 1, "meaning": "it takes 40 % of the work"}]}],
  "decides": null, "not_measured": ["transfer, because there is no device"],
  "left_out": [], "page_cache": "as found", "disturbed_blocks": 1, "replaced_blocks": 0,
  "stall_seconds_per_batch": {"batch": 0.02, "fetch": 0.002, "prepare": 0.012, "transfer": null,
                              "step": 0.006, "fetch_by_run": true},
  "advice": [
    {"edit": "workers.count 2 -> 4", "text": "two more threads", "costs": "two cores",
     "changes": [{"node": "workers", "param": "count", "from": "2", "to": "4"}],
     "changes_samples": "nothing",
     "predicted_samples_per_second": {"low": 1500, "middle": 1593, "high": 1700},
     "measured_ratio": {"mean": 1.95, "least": 1.9, "most": 2.0}},
    {"edit": null, "text": "close the other programs", "costs": null, "changes": [],
     "changes_samples": "nothing", "predicted_samples_per_second": null, "measured_ratio": null}],
  "runs": [{"probe": "unmodified", "what": "unmodified", "rates": [800, 808]},
           {"probe": "source alone", "what": "source alone", "rates": [5000, 5100]}]})";

class DiagnosisBench {
 public:
  DiagnosisBench() {
    folder.write("mine.millrace.json", kDiagnosed);
    qputenv("MILLRACE_STORE", QByteArray::fromStdString((folder.path() / "runs.db").string()));
    window = std::make_unique<MainWindow>(builtinCatalog());
    window->resize(1389, 868);
    window->show();
    ready = tests::openIn(*window, fileText(folder.path() / "mine.millrace.json")) && waits([this] {
              return window->page()->session().check.isCurrent() &&
                     window->action("diagnose")->isEnabled();
            });
  }
  ~DiagnosisBench() { qunsetenv("MILLRACE_STORE"); }
  static bool waits(const std::function<bool()>& until) {
    return QTest::qWaitFor(until, kGenerousMs);
  }
  /// An engine that prints `lines`.
  void script(const QByteArray& lines) {
    const QByteArray hello =
        said(parsed(R"({"event": "hello", "version": "1.0", "engine": "0.1.0", "time": 1.0})"));
    window->diagnoses().job().setProgram(
        tests::writeEngine(fileText(folder.path()), hello + lines));
  }
  static QByteArray said(QJsonObject event) {
    return "cat <<'END'\n" + QJsonDocument(event).toJson(QJsonDocument::Compact) + "\nEND\n";
  }
  DiagnosisView& view() { return window->diagnoses().view(); }

  tests::TemporaryFolder folder;
  std::unique_ptr<MainWindow> window;
  bool ready = false;
};

}  // namespace

class TestDiagnosis : public QObject {
  Q_OBJECT
 private slots:
  void aReportIsReadExactlyAsWritten() {
    const auto report = diagnosisOf(kResult);
    QVERIFY(report);
    QCOMPARE(report->headline(), QString("Likely limit: too few workers"));
    QCOMPARE(report->evidence, QStringList("The region is busy 97 % of the time."));
    QCOMPARE(report->also, QStringList("Decoding in `source`: it takes 40 % of the work."));
    QCOMPARE(report->advice.size(), 2U);
    QCOMPARE(report->advice[0].advice.editText(), std::string("workers.count 2 -> 4"));
    QVERIFY(report->advice[0].advice.changes == SampleChange::Nothing);
    QCOMPARE(report->advice[0].predicted->middle, 1593.0);
    QVERIFY(report->advice[1].advice.edit == Advice::Edit::Words);
    QVERIFY(!report->stalls->transfer && report->stalls->step);
    QVERIFY(!diagnosisOf("{}"));
    QJsonObject open = parsed(kResult);
    open["limit"] = QJsonObject{{"kind", QJsonValue()}, {"sure", "cannot tell"}};
    const auto undecided = diagnosisOf(QJsonDocument(open).toJson().toStdString());
    QCOMPARE(undecided->headline(), QString("The limit could not be determined"));
  }

  void theFindingItsEvidenceAndMethodAreShown() {
    DiagnosisBench bench;
    QVERIFY(bench.ready);
    bench.script("sleep 0.1\n" + DiagnosisBench::said(parsed(kResult)));
    bench.window->action("diagnose")->trigger();
    QVERIFY(bench.window->findChild<QDockWidget*>("run_advice")->isVisible());
    QVERIFY(!bench.window->action("diagnose")->isEnabled());
    QVERIFY(!bench.view().progressText().isEmpty());
    const auto* hint = bench.window->findChild<QFrame*>("adviceCard");
    QVERIFY(hint->isVisible());
    QVERIFY(DiagnosisBench::waits([&] { return !bench.window->diagnoses().isRunning(); }));
    const QString text = bench.view().reportText();
    for (const char* part :
         {"Likely limit: too few workers", "804.2 samples/s", "97 %", "Workers › Threads: 2 → 4",
          "Predicted: 1", "Measured: 1.95 times", "Cost: Two cores", "the same samples",
          "close the other programs", "source alone", "Not measured: transfer", "run 7"})
      QVERIFY2(text.contains(part, Qt::CaseInsensitive),
               qPrintable(QString(part) + " is missing in:\n" + text));
    QCOMPARE(bench.view().stalls().parts().size(), 4);
    QVERIFY2(!hint->isVisible(), "the report has more");
  }

  void applyIsOneUndoableEdit() {
    DiagnosisBench bench;
    QVERIFY(bench.ready);
    bench.script(DiagnosisBench::said(parsed(kResult)));
    bench.window->action("diagnose")->trigger();
    QVERIFY(DiagnosisBench::waits([&] { return bench.view().report().has_value(); }));
    Document& document = bench.window->page()->session().document;
    const std::string before = document.text();
    QVERIFY(bench.view().button("apply_0")->isEnabled());
    QVERIFY(bench.view().button("apply_1") == nullptr);
    bench.view().button("apply_0")->click();
    QCOMPARE(document.undoStack().count(), 1);
    QCOMPARE(document.undoStack().undoText(), QString("Advice: Workers › Threads: 2 → 4"));
    QVERIFY2(!bench.view().button("apply_0")->isEnabled(), "the pipeline already has this setting");
    document.undoStack().undo();
    QCOMPARE(document.text(), before);
    QVERIFY(DiagnosisBench::waits([&] { return bench.view().button("apply_0")->isEnabled(); }));
    // A sweep of an advised parameter can be started from there.
    bench.view().button("sweep_0")->click();
    QCOMPARE(bench.window->sweeps().dialog()->rows().size(), 1U);
  }

  void whatAdviceInsertsCoversNoNode_data() {
    QTest::addColumn<bool>("byHand");
    QTest::newRow("arranged") << false;
    QTest::newRow("placed by hand") << true;
  }
  void whatAdviceInsertsCoversNoNode() {
    QFETCH(bool, byHand);
    DiagnosisBench bench;
    QVERIFY(bench.ready);
    EditSession& session = bench.window->page()->session();
    // One row, as the user has drawn it.
    NodePlaces row;
    for (const GraphNode& node : session.document.graph().nodes)
      row[node.id] = QPointF(240.0 * static_cast<double>(row.size()), 0);
    if (byHand) session.document.edit("Move", moved(session.document.graph(), row));
    bench.script(DiagnosisBench::said(parsed(kResult)));
    bench.window->action("diagnose")->trigger();
    QVERIFY(DiagnosisBench::waits([&] { return !bench.window->diagnoses().isRunning(); }));
    Advice cache;
    cache.edit = Advice::Edit::AddCache;
    cache.node = "source";
    cache.to = "2000000";
    const std::size_t before = session.document.graph().nodes.size();
    emit bench.view().applyRequested(cache);
    const Graph& graph = session.document.graph();
    QCOMPARE(graph.nodes.size(), before + 1);
    const auto& boxes = session.geometry.layout().nodes;
    for (const auto& [id, box] : boxes)
      for (const auto& [other, place] : boxes)
        QVERIFY2(id == other || !box.intersects(place), (id + " covers " + other).c_str());
    for (const GraphWire& wire : graph.wires)
      if (byHand) QVERIFY(boxes.at(wire.from).left() < boxes.at(wire.to).left());
    if (byHand) return;
    for (const GraphNode& node : session.geometry.arrangedGraph(graph).nodes)
      QCOMPARE(boxes.at(node.id).topLeft(), *placeOf(node));
  }

  void aReportBelongsToItsDocument() {
    DiagnosisBench bench;
    QVERIFY(bench.ready);
    bench.script(DiagnosisBench::said(parsed(kResult)));
    bench.window->action("diagnose")->trigger();
    QVERIFY(DiagnosisBench::waits([&] { return !bench.window->diagnoses().isRunning(); }));
    Document& document = bench.window->page()->session().document;
    bench.window->action("new")->trigger();
    QVERIFY(&bench.window->page()->session().document != &document);
    QVERIFY(DiagnosisBench::waits([&] { return !bench.view().report(); }));
    emit bench.view().applyRequested(diagnosisOf(kResult)->advice[0].advice);
    QCOMPARE(document.undoStack().count(), 0);
    bench.window->tabs().setCurrentIndex(0);
    QVERIFY(bench.view().report());
    QVERIFY(bench.view().button("apply_0")->isEnabled());
  }

  void aDiagnosisThatEndsWhileAnotherDocumentIsInFrontIsReportedOnBoth() {
    DiagnosisBench bench;
    QVERIFY(bench.ready);
    const QByteArray gate = QByteArray::fromStdString((bench.folder.path() / "gate").string());
    bench.script("until [ -e '" + gate + "' ]; do sleep 0.02; done\n" +
                 DiagnosisBench::said(parsed(kResult)));
    bench.window->action("diagnose")->trigger();
    QVERIFY(bench.window->diagnoses().isRunning());
    bench.window->action("new")->trigger();
    const QPointer<PipelinePage> other = bench.window->page();
    bench.folder.write("gate", "");
    QVERIFY(DiagnosisBench::waits([&] { return !bench.window->diagnoses().isRunning(); }));
    const auto says = [](const QWidget& where) {
      for (const QLabel* label : where.findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains("The diagnosis of mine.millrace.json is"))
          return true;
      return false;
    };
    QVERIFY(bench.window->page() == other && !bench.view().report());
    QVERIFY2(bench.window->statusBar()->currentMessage().startsWith(
                 "The diagnosis of mine.millrace.json is over. Likely limit: "),
             qPrintable(bench.window->statusBar()->currentMessage()));
    QVERIFY(!says(*other));
    bench.window->tabs().setCurrentIndex(0);
    QVERIFY(DiagnosisBench::waits([&] { return says(*bench.window->page()); }));
    QVERIFY(bench.view().report() && bench.view().button("apply_0")->isEnabled());
  }

  void aReportOfAChangedPipelineIsMarkedAndNotApplied() {
    DiagnosisBench bench;
    QVERIFY(bench.ready);
    bench.script(DiagnosisBench::said(parsed(kResult)));
    bench.window->action("diagnose")->trigger();
    QVERIFY(DiagnosisBench::waits([&] { return !bench.window->diagnoses().isRunning(); }));
    QCOMPARE(bench.view().staleText(), QString());
    EditSession& session = bench.window->page()->session();
    session.editor.setParameter({"batch"}, *session.document.specOf("batch")->param("size"),
                                Value{std::int64_t{3}});
    QVERIFY(DiagnosisBench::waits([&] { return !bench.view().staleText().isEmpty(); }));
    QVERIFY(!bench.view().button("apply_0")->isEnabled());
    session.document.undoStack().undo();
    QVERIFY(DiagnosisBench::waits([&] { return bench.view().staleText().isEmpty(); }));
    QVERIFY(bench.view().button("apply_0")->isEnabled());
  }

  void aDiagnosisThatDiesIsReported() {
    DiagnosisBench bench;
    QVERIFY(bench.ready);
    bench.script("echo no space left >&2; exit 1");
    bench.window->action("diagnose")->trigger();
    QVERIFY(DiagnosisBench::waits([&] { return !bench.window->diagnoses().isRunning(); }));
    QCOMPARE(bench.view().failureText(), QString("The diagnosis ended: No space left."));
    QVERIFY(bench.window->action("diagnose")->isEnabled());
  }

  void waitingForTheCoresIsShownWhileItLasts() {
    DiagnosisBench bench;
    QVERIFY(bench.ready);
    const QByteArray step = DiagnosisBench::said(
        parsed(R"({"event":"progress","done":2,"of":9,"what":"unmodified","seconds_left":8})"));
    const auto waiting = [](const char* left) {
      return DiagnosisBench::said({{"event", "waiting"},
                                   {"for", "cores"},
                                   {"repeat", 1},
                                   {"repeats", 1},
                                   {"seconds_left", QByteArray(left).toDouble()}});
    };
    // The second step is held back until the first one has been seen.
    const QByteArray gate = QByteArray::fromStdString((bench.folder.path() / "gate").string());
    bench.script(step + waiting("10") + "until [ -e '" + gate + "' ]; do sleep 0.02; done\n" +
                 waiting("0") + "sleep 100\n");
    bench.window->action("diagnose")->trigger();
    const auto says = [&](const QString& words) {
      return DiagnosisBench::waits([&] { return bench.view().progressText().contains(words); });
    };
    QVERIFY2(says("3 of 9: waiting up to 10 s: the cores"),
             qPrintable(bench.view().progressText()));
    bench.folder.write("gate", "");
    QVERIFY2(says("3 of 9: unmodified"), qPrintable(bench.view().progressText()));
    bench.window->diagnoses().job().stop();
    QVERIFY(DiagnosisBench::waits([&] { return !bench.window->diagnoses().isRunning(); }));
  }

  void theRealEngineReportsProgressAndStops() {
    DiagnosisBench bench;
    QVERIFY(bench.ready);
    bench.window->diagnoses().job().setProgram(tests::kMillrace);
    bench.window->action("diagnose")->trigger();
    QVERIFY(DiagnosisBench::waits([&] { return bench.view().progressText().contains(" of "); }));
    QVERIFY2(bench.view().progressText().contains("left"), qPrintable(bench.view().progressText()));
    bench.view().button("stop_diagnosis")->click();
    QVERIFY(DiagnosisBench::waits([&] { return !bench.window->diagnoses().isRunning(); }));
    QVERIFY(bench.view().report() || !bench.view().failureText().isEmpty());
  }

  void theStallBarIsReadableAndExported() {
    StallBar bar;
    bar.resize(320, 200);
    bar.show(*diagnosisOf(kResult)->stalls);
    const tests::TemporaryFolder folder;
    for (const char* name : {"a.png", "a.svg", "a.csv", "a.json"})
      VERIFY_OK(bar.exportTo(fileText(folder.path() / name)));
    QFile csv(fileText(folder.path() / "a.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QByteArray text = csv.readAll();
    QVERIFY2(text.contains("Step,0.006,0.3"), text.constData());
    QVERIFY2(text.contains("Transfer,,"), text.constData());
    QVERIFY(bar.accessibleDescription().contains("Step: 30 %"));
    bar.grab();
  }
};

}  // namespace millrace

using millrace::TestDiagnosis;
MILLRACE_TEST_CASE(TestDiagnosis)
#include "tst_diagnosis.moc"
