// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// INTERACTION 31 in the main window, with the real engine: the tuner from its menu to the settings
// that are taken, and stopped in the middle.
#include <QAction>
#include <QTabWidget>

#include "app/workbench/run_desk.h"
#include "app/workbench/runs_area.h"
#include "app/workbench/runs_desk.h"
#include "app/workbench/tune_desk.h"
#include "tests/support/test_case.h"
#include "tests/widgets/stepped_pipeline.h"
#include "tests/widgets/window_bench.h"
#include "widgets/runs/runs_page.h"
#include "widgets/tune/tune_dialog.h"
#include "widgets/tune/tune_page.h"

namespace millrace {

namespace {

const std::string kSlowStep = tests::steppedPipeline({.stepSeconds = 0.02});

class TuneBench : public tests::WindowBench {
 public:
  explicit TuneBench(const tests::TemporaryFolder& folder) : WindowBench(folder) {
    desk().job().setProgram(MILLRACE_BINARY);
    order.seconds = 0.1;
    order.warmupSeconds = 0;
    order.allowed.allow(SampleChange::Values);
    order.variations = {{"step", "seconds", "0.001,0.02"}};
  }
  TuneDesk& desk() { return window->tunes(); }

  TuneOrder order;
};

}  // namespace

class TestTuneInWindow : public QObject {
  Q_OBJECT
 private slots:
  void fromTheMenuToTheBestThatIsTakenAsOneStep() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kSlowStep);
    TuneBench bench(folder);
    QVERIFY(bench.ready);
    bench.window->action("tune")->trigger();
    QVERIFY(bench.desk().dialog() != nullptr && bench.desk().dialog()->isVisible());
    bench.order.budgetSeconds = 3600;  // it ends by itself
    emit bench.desk().dialog()->startRequested(bench.order);
    QVERIFY(!bench.desk().dialog()->isVisible() && bench.desk().isRunning());
    QVERIFY(!bench.window->action("diagnose")->isEnabled());
    QVERIFY(bench.waits([&] { return !bench.desk().isRunning(); }));
    const LiveTune& tune = bench.desk().tune();
    QVERIFY2(tune.end()->kind == ChildEnd::Kind::Finished, qPrintable(tune.end()->sentence));
    QVERIFY2(tune.best() && *tune.best() > 0, qPrintable(tune.stoppedBecause()));
    QVERIFY(tune.trials()[*tune.best()].gain.value_or(0) > 2);
    QVERIFY(!tune.front().empty() && !tune.stoppedBecause().isEmpty());
    QCOMPARE(bench.window->tabs().currentWidget(), &bench.desk().page());

    const Graph before = bench.document().graph();
    bench.desk().page().button("take_best")->click();
    QVERIFY2(bench.desk().page().saidText().startsWith("Taken into mine"),
             qPrintable(bench.desk().page().saidText()));
    QUndoStack* undo = bench.desk().undoStackOf(&bench.desk().page());
    QCOMPARE(undo->count(), 1);
    QVERIFY2(undo->undoText().contains("Tuning: "), qPrintable(undo->undoText()));
    QCOMPARE(std::get<Value>(bench.document().graph().node("step")->params.at("seconds")),
             Value{0.001});
    // It is so already.
    bench.desk().page().button("take_best")->click();
    QVERIFY2(bench.desk().page().saidText().startsWith("Nothing is changed"),
             qPrintable(bench.desk().page().saidText()));
    QCOMPARE(undo->count(), 1);
    bench.window->action("undo")->trigger();
    QVERIFY(bench.document().graph() == before);

    // It is kept as an experiment.
    bench.desk().page().button("runs")->click();
    RunsPage& runs = bench.window->runs().area()->page();
    QVERIFY(bench.waits([&] { return runs.model().rowCount() > 1; }));
  }

  void aStopKeepsTheBestSoFar() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kSlowStep);
    TuneBench bench(folder);
    QVERIFY(bench.ready);
    bench.order.budgetSeconds = 3600;
    bench.order.seconds = 1000;
    bench.desk().start(*bench.window->page(), bench.order);
    QVERIFY(bench.waits([&] { return bench.desk().tune().running().has_value(); }));
    bench.desk().page().button("stop")->click();
    QVERIFY(bench.waits([&] { return !bench.desk().isRunning(); }));
    QCOMPARE(bench.desk().tune().end()->kind, ChildEnd::Kind::Stopped);
    QVERIFY2(bench.desk().page().words().startsWith("Stopped"),
             qPrintable(bench.desk().page().words()));
    QVERIFY(bench.window->close());
  }
};

}  // namespace millrace

using millrace::TestTuneInWindow;
MILLRACE_TEST_CASE(TestTuneInWindow)
#include "tst_tune_in_window.moc"
