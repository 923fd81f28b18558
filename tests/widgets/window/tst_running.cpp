// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#problems, #run-and-stop, #live-figures: in the main window with the real
// engine.
#include <csignal>

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QGuiApplication>
#include <QMenu>
#include <QProcess>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/window/main_window.h"
#include "core/graph/edit/graph_edit.h"
#include "core/nodes/builtin.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/full_disk.h"
#include "tests/widgets/opened_files.h"
#include "tests/widgets/patience.h"
#include "tests/widgets/stall_watch.h"
#include "tests/widgets/stepped_pipeline.h"
#include "widgets/bridge/run_process.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/run_views.h"
#include "widgets/common/format.h"
#include "widgets/common/strings.h"
#include "widgets/models/document_command.h"

namespace millrace {

namespace {

using tests::kGenerousMs;
using tests::kLongPipeline;
using tests::kMostStallMs;

/// The workbench with a pipeline that can run at once.
class RunBench {
 public:
  RunBench() : window(builtinCatalog()) {
    folder.write("mine.millrace.json", kLongPipeline);
    window.resize(1389, 868);
    window.show();
    window.activateWindow();
    ready = QTest::qWaitForWindowActive(&window);
    controller().session().process().setProgram(tests::kMillrace);
    controller().setMeasure({0, 1000, 1});
    ready = ready && tests::openIn(window, fileText(folder.path() / "mine.millrace.json")) &&
            QTest::qWaitFor(
                [this] { return session().check.isCurrent() && window.action("run")->isEnabled(); },
                kGenerousMs);
    window.page()->view().setFocus();
  }
  ~RunBench() { ends(); }

  RunController& controller() { return window.controller(); }
  EditSession& session() { return window.page()->session(); }
  const RunOverlay& shown() { return window.page()->scene().run(); }
  /// Shortcuts only work in the active window, and nothing reactivates the offscreen one.
  bool press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    window.activateWindow();
    const bool active = QTest::qWaitForWindowActive(&window);
    QTest::keyClick(&window.page()->view(), key, modifiers);
    return active;
  }
  bool runs() {
    if (!press(Qt::Key_F5)) return false;
    return QTest::qWaitFor([this] { return shown().nodes.contains("step"); }, kGenerousMs);
  }
  bool ends() {
    controller().stop();
    return QTest::qWaitFor([this] { return !controller().session().isRunning(); }, kGenerousMs);
  }

  tests::TemporaryFolder folder;
  MainWindow window;
  bool ready = false;
};

}  // namespace

class TestRunning : public QObject {
  Q_OBJECT
 private slots:
  void runIsDisabledWithTheNumberOfErrorsInItsTooltip() {
    RunBench bench;
    QVERIFY(bench.ready);
    bench.session().selection.set({"workers"});
    bench.session().document.edit(
        "test", *removeNode(bench.session().document.graph(), builtinCatalog(), "step"));
    QVERIFY(QTest::qWaitFor([&] { return !bench.window.action("run")->isEnabled(); }, kGenerousMs));
    const int errors = bench.session().check.errors();
    QVERIFY2(bench.window.action("run")->toolTip().startsWith("Correct " +
                                                              shownCount(errors, "error") + " "),
             qPrintable(bench.window.action("run")->toolTip()));
  }

  void f5RunsAndShiftF5Stops() {
    RunBench bench;
    QVERIFY(bench.ready);
    QVERIFY(!bench.window.action("stop")->isEnabled());
    QVERIFY(bench.runs());
    QVERIFY(bench.window.action("stop")->isEnabled());
    QVERIFY(!bench.window.action("run")->isEnabled());
    QVERIFY(bench.press(Qt::Key_F5, Qt::ShiftModifier));
    QVERIFY(bench.controller().session().isStopping());
    QVERIFY(bench.ends());
    QVERIFY(bench.window.action("run")->isEnabled());
  }

  void editsDuringARunAreMarked() {
    RunBench bench;
    QVERIFY(bench.ready && bench.runs());
    QVERIFY(!bench.controller().differs());
    bench.session().document.edit(
        "test", *applySetting(bench.session().document.graph(), builtinCatalog(), "batch.size=20"));
    QVERIFY(QTest::qWaitFor([&] { return bench.shown().edited.contains("batch"); }, kGenerousMs));
    QCOMPARE(bench.shown().edited.size(), 1U);
    QVERIFY(bench.controller().differs());
    QVERIFY2(bench.controller().statusText().contains("differs from what is running"),
             qPrintable(bench.controller().statusText()));
    bench.session().document.undoStack().undo();
    QVERIFY(QTest::qWaitFor([&] { return bench.shown().edited.empty(); }, kGenerousMs));
    QVERIFY(!bench.controller().differs());
  }

  void anEngineThatDiesIsReportedAndTheWorkbenchContinues() {
    RunBench bench;
    QVERIFY(bench.ready && bench.runs());
    const qint64 engine = bench.controller().session().process().processId();
    QVERIFY(engine > 0);
    ::kill(static_cast<pid_t>(engine), SIGKILL);
    QVERIFY(
        QTest::qWaitFor([&] { return !bench.controller().session().isRunning(); }, kGenerousMs));
    QVERIFY2(bench.controller().views().advice().endText().contains("signal 9"),
             qPrintable(bench.controller().views().advice().endText()));
    QVERIFY(bench.window.action("run")->isEnabled());
    QVERIFY(bench.runs());
  }

  /// Start, all views open, stop: the event loop keeps turning. A stall of ours would occur in each
  /// run; one caused by the machine does not.
  void aRunOnAFullDiskSaysThatItIsNotKept() {
    RunBench bench;
    QVERIFY(bench.ready);
    bench.controller().setMeasure({0, 0.5, 1});
    {
      const tests::FullDisk full(20000);
      QVERIFY(bench.runs());
      QVERIFY(
          QTest::qWaitFor([&] { return !bench.controller().session().isRunning(); }, kGenerousMs));
    }
    const RunViews& views = bench.controller().views();
    QCOMPARE(views.run().phaseText(), QString("done, not kept"));
    QVERIFY2(views.advice().endText().contains("This run is not kept"),
             qPrintable(views.advice().endText()));
  }

  void theEventLoopNeverStalls() {
    double worst = 0;
    for (int run = 0; run == 0 || (run < 3 && worst >= kMostStallMs); ++run) {
      RunBench bench;
      QVERIFY(bench.ready && bench.runs());
      for (const RunViews::Dock& dock : bench.controller().views().docks())
        bench.window.findChild<QDockWidget*>("run_" + dock.name)->show();
      QTest::qWait(300);  // Showing docks is the window's work, not the run's.
      const tests::StallWatch stalls;
      const double from = bench.controller().session().run().now();
      QVERIFY(QTest::qWaitFor([&] { return bench.controller().session().run().now() > from + 3; },
                              kGenerousMs));
      QVERIFY(bench.ends());
      worst = stalls.worstMs();
    }
    QVERIFY2(worst < kMostStallMs, qPrintable(QString::number(worst)));
  }

  void valuesAreShownOnTheCanvasAndGreyedAfterTheStop() {
    RunBench bench;
    QVERIFY(bench.ready && bench.runs());
    QVERIFY(QTest::qWaitFor([&] { return bench.shown().nodes.at("step").share > 0; }, kGenerousMs));
    QVERIFY(bench.shown().nodes.at("step").rate.endsWith("/s"));
    QVERIFY(bench.shown().queues.contains("prefetch"));
    QVERIFY(bench.shown().regions.at("workers").left.contains("busy"));
    QVERIFY(bench.ends());
    QVERIFY(bench.shown().over);
    QVERIFY2(bench.shown().label.startsWith("RUN"), qPrintable(bench.shown().label));
    QVERIFY(bench.shown().label.size() > 4);  // It was kept and has a number.
    QVERIFY(!bench.shown().nodes.at("step").rate.isEmpty());
  }

  void closingTheWindowEndsTheRunFirst() {
    RunBench bench;
    QVERIFY(bench.ready && bench.runs());
    QVERIFY(!bench.window.close());
    QVERIFY(QTest::qWaitFor([&] { return !bench.window.isVisible(); }, kGenerousMs));
    QVERIFY(!bench.controller().session().isRunning());
  }

  void theMeasureSettingsAreCopiedAsACommand() {
    RunBench bench;
    QVERIFY(bench.ready);
    QAction* copy = bench.window.action("copy_command");
    // It is also among the settings.
    bool isThere = false;
    for (const QMenu* menu : bench.window.findChildren<QMenu*>())
      isThere = isThere || (menu->title() == "&Measure" && menu->actions().contains(copy));
    QVERIFY(isThere);
    bench.controller().setMeasure({0.5, 2, 4});
    QVERIFY(copy->isEnabled());
    copy->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text(), "millrace run " +
                                                       bench.session().document.filePath() +
                                                       " --warmup 0.5 --seconds 2 --repeats 4");
    // An example has a name on the command line; what has neither file nor name is in the command.
    QVERIFY(tests::openIn(bench.window, "classification"));
    copy->trigger();
    const auto copied = [] { return QGuiApplication::clipboard()->text(); };
    QCOMPARE(copied(), "millrace run classification --warmup 0.5 --seconds 2 --repeats 4");
    Document& document = bench.window.page()->session().document;
    Graph changed = document.graph();
    changed.nodes.pop_back();
    document.edit("Delete a node", changed);
    copy->trigger();
    QVERIFY2(copied().startsWith("millrace run - --warmup 0.5 "), qPrintable(copied()));
    QVERIFY(copied().endsWith(" <<'PIPELINE'\n" + toQt(document.text()) + "PIPELINE\n"));
  }

  void aCopiedCommandOfAnUnsavedPipelineRuns() {
    RunBench bench;
    QVERIFY(bench.ready);
    Document unsaved(builtinCatalog());
    VERIFY_OK(unsaved.openText(bench.session().document.text(), "it's mine"));
    const QString command = commandFor(
        unsaved, [](const QString& word) { return RunProcess::commandOf(word, {0, 0.1, 1}); });
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QString folder = QFileInfo(tests::kMillrace).absolutePath();
    environment.insert("PATH", folder + ':' + environment.value("PATH"));
    environment.insert("MILLRACE_STORE", bench.session().document.filePath() + ".db");
    shell.setProcessEnvironment(environment);
    shell.start("sh", {"-c", command});
    QVERIFY(shell.waitForFinished(kGenerousMs));
    QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError().constData());
    QVERIFY(shell.readAllStandardOutput().contains("samples/s"));
  }

  void theMeasureSettingsAreKeptForTheNextWindow() {
    MeasureChoice measured;
    measured.warmupSeconds = 1;
    measured.seconds = 3.5;
    measured.repeats = 4;
    {
      MainWindow window(builtinCatalog());
      window.controller().setMeasure(measured);
    }
    MainWindow window(builtinCatalog());
    QCOMPARE(window.controller().measure(), measured);
    QCOMPARE(shownMeasure(measured).replace(QChar(0xA0), ' '),
             QString("1 s warm-up, 3.5 s, 4 repeats"));
  }
};

}  // namespace millrace

using millrace::TestRunning;
MILLRACE_TEST_CASE(TestRunning)
#include "tst_running.moc"
