// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#long-work: in the main window, with the real engine, the tuner from its menu to
// the applied settings, and stopped in the middle.
#include <QAction>
#include <QTabWidget>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/tune_controller.h"
#include "app/workbench/window/runs_area.h"
#include "tests/support/places.h"
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
    controller().job().setProgram(tests::kMillrace);
    order.seconds = 0.3;
    order.warmupSeconds = 0;
    order.allowed.allow(SampleChange::Content);
    order.variations = {{"step", "seconds", "0.001,0.02"}};
  }
  TuneController& controller() { return window->tunes(); }

  TuneOrder order;
};

}  // namespace

class TestTuneInWindow : public QObject {
  Q_OBJECT
 private slots:
  void fromTheMenuToTheBestSettingAppliedAsOneStep() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kSlowStep);
    TuneBench bench(folder);
    QVERIFY(bench.ready);
    bench.window->action("tune")->trigger();
    QVERIFY(bench.controller().dialog() != nullptr && bench.controller().dialog()->isVisible());
    bench.order.budgetSeconds = 3600;  // it ends earlier
    emit bench.controller().dialog()->startRequested(bench.order);
    QVERIFY(!bench.controller().dialog()->isVisible() && bench.controller().isRunning());
    QVERIFY(!bench.window->action("diagnose")->isEnabled());
    QVERIFY(bench.waits([&] { return !bench.controller().isRunning(); }));
    const LiveTune& tune = bench.controller().tune();
    QVERIFY2(tune.end()->kind == ChildEnd::Kind::Finished, qPrintable(tune.end()->sentence));
    QVERIFY2(tune.best() && *tune.best() > 0, qPrintable(tune.stoppedBecause()));
    QVERIFY(tune.trials()[*tune.best()].gain.value_or(0) > 2);
    QVERIFY(!tune.front().empty() && !tune.stoppedBecause().isEmpty());
    QCOMPARE(bench.window->tabs().currentWidget(), &bench.controller().page());
    // What makes a document needs none in front.
    for (const char* name : {"new", "new_from_folder", "loader"})
      QVERIFY2(bench.window->action(name)->isEnabled(), name);

    const Graph before = bench.document().graph();
    bench.controller().page().button("take_best")->click();
    QVERIFY2(bench.controller().page().saidText().startsWith("Applied to mine"),
             qPrintable(bench.controller().page().saidText()));
    QUndoStack* undo = bench.controller().undoStackOf(&bench.controller().page());
    QCOMPARE(undo->count(), 1);
    QVERIFY2(undo->undoText().contains("Tuning: "), qPrintable(undo->undoText()));
    QCOMPARE(std::get<Value>(bench.document().graph().node("step")->params.at("seconds")),
             Value{0.001});
    // The pipeline already has this setting.
    bench.controller().page().button("take_best")->click();
    QVERIFY2(bench.controller().page().saidText().startsWith("Nothing was changed"),
             qPrintable(bench.controller().page().saidText()));
    QCOMPARE(undo->count(), 1);
    bench.window->action("undo")->trigger();
    QVERIFY(bench.document().graph() == before);

    // Another one can be ordered from where the first has ended.
    QVERIFY(bench.window->action("tune")->isEnabled());
    bench.window->action("tune")->trigger();
    QVERIFY(bench.controller().dialog()->isVisible());
    QVERIFY(bench.controller().dialog()->startButton().isEnabled());
    bench.controller().dialog()->close();

    // It is kept as an experiment.
    bench.controller().page().button("runs")->click();
    RunsPage& runs = bench.window->runs().area()->page();
    QVERIFY(bench.waits([&] { return runs.model().rowCount() > 1; }));
  }

  void aStopKeepsTheBestSoFar_data() {
    QTest::addColumn<bool>("byAction");
    QTest::newRow("its button") << false;
    QTest::newRow("Stop in the toolbar and its key") << true;
  }
  void aStopKeepsTheBestSoFar() {
    QFETCH(bool, byAction);
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kSlowStep);
    TuneBench bench(folder);
    QVERIFY(bench.ready);
    bench.order.budgetSeconds = 3600;
    bench.order.seconds = 1000;
    bench.controller().start(*bench.window->page(), bench.order);
    QVERIFY(bench.waits([&] { return bench.controller().tune().running().has_value(); }));
    QAction& stop = *bench.window->action("stop");
    QVERIFY(stop.isEnabled());
    byAction ? stop.trigger() : bench.controller().page().button("stop")->click();
    QVERIFY(bench.waits([&] { return !bench.controller().isRunning(); }));
    QCOMPARE(bench.controller().tune().end()->kind, ChildEnd::Kind::Stopped);
    QVERIFY(!stop.isEnabled());
    QVERIFY2(bench.controller().page().words().startsWith("Stopped"),
             qPrintable(bench.controller().page().words()));
    QVERIFY(bench.window->close());
  }
};

}  // namespace millrace

using millrace::TestTuneInWindow;
MILLRACE_TEST_CASE(TestTuneInWindow)
#include "tst_tune_in_window.moc"
