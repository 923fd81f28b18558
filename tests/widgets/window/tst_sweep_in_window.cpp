// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#sweep: in the main window, with the real engine, from a parameter's menu to the
// applied setting, and continued after a restart.
#include <QAction>
#include <QLineEdit>
#include <QPushButton>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/controllers/sweep_controller.h"
#include "app/workbench/window/runs_area.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/stepped_pipeline.h"
#include "tests/widgets/window_bench.h"
#include "widgets/inspector/inspector_panel.h"
#include "widgets/runs/query_line.h"
#include "widgets/runs/runs_page.h"
#include "widgets/sweep/sweep_axis_row.h"
#include "widgets/sweep/sweep_dialog.h"
#include "widgets/sweep/sweep_page.h"
#include "widgets/sweep/sweep_plot.h"

namespace millrace {

namespace {

const std::string kFastStep = tests::steppedPipeline({.stepSeconds = 0.001});

class SweepBench : public tests::WindowBench {
 public:
  explicit SweepBench(const tests::TemporaryFolder& folder) : WindowBench(folder) {
    controller().job().setProgram(tests::kMillrace);
  }
  SweepController& controller() { return window->sweeps(); }
  EditSession& session() { return window->page()->session(); }
  Value batchSize() { return std::get<Value>(document().graph().node("batch")->params.at("size")); }
  /// From the menu of the batch size in the inspector.
  SweepDialog* asks() {
    session().selection.set({"batch"});
    for (FieldRow* row : window->inspector().rows())
      if (row->spec().name == "size") row->actions().first()->trigger();
    return controller().dialog();
  }
  bool measures(const SweepOrder& order) {
    controller().start(*window->page(), order);
    return waits([this] { return controller().sweep().isKnown(); });
  }
};

SweepOrder quickOrder(const std::string& values) {
  SweepOrder order;
  order.variations = {{"batch", "size", values}};
  order.repeats = 1;
  order.seconds = 0.1;
  order.warmupSeconds = 0;
  return order;
}

}  // namespace

class TestSweepInWindow : public QObject {
  Q_OBJECT
 private slots:
  void fromTheParametersMenuToAnAppliedSetting() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kFastStep);
    SweepBench bench(folder);
    QVERIFY(bench.ready);
    SweepDialog* dialog = bench.asks();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    QCOMPARE(dialog->rows().size(), 1U);
    QCOMPARE(dialog->rows()[0]->variation().param, std::string("size"));
    dialog->reject();

    QVERIFY(bench.measures(quickOrder("8,32")));
    QVERIFY(!bench.window->action("diagnose")->isEnabled());
    QVERIFY2(bench.window->controller().statusText().isEmpty(), "a sweep is not a run");
    QVERIFY(SweepBench::waits([&] { return !bench.controller().isRunning(); }));
    const LiveSweep& sweep = bench.controller().sweep();
    QCOMPARE(sweep.end()->kind, ChildEnd::Kind::Finished);
    QCOMPARE(sweep.finding().ranking.size(), 2U);
    QCOMPARE(bench.window->tabs().currentWidget(), &bench.controller().page());

    const std::size_t other = sweep.plan().current() == 0 ? 1 : 0;
    const int steps = bench.controller().undoStackOf(&bench.controller().page())->count();
    emit bench.controller().page().plot().pointTaken(other);
    QCOMPARE(bench.batchSize(), Value{std::int64_t{32}});
    QUndoStack* undo = bench.controller().undoStackOf(&bench.controller().page());
    QCOMPARE(undo->count(), steps + 1);
    QCOMPARE(undo->undoText().replace(QChar(0xA0), ' '),
             QString("Sweep: Batch › Size 8 samples → 32 samples"));
    bench.window->action("undo")->trigger();
    QCOMPARE(bench.batchSize(), Value{std::int64_t{8}});

    // Its trials are runs.
    bench.controller().page().button("runs")->click();
    RunsPage& runs = bench.window->runs().area()->page();
    QVERIFY(SweepBench::waits([&] { return runs.model().rowCount() == 2; }));
    QVERIFY2(runs.queryLine().text().contains("sweep of mine"),
             qPrintable(runs.queryLine().text()));
  }

  void aStoppedSweepIsOfferedAfterARestart() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kFastStep);
    SweepOrder order = quickOrder("16,32");  // The current value, 8, is also measured.
    order.repeats = 2;
    {
      SweepBench bench(folder);
      QVERIFY(bench.ready && bench.measures(order));
      QVERIFY(SweepBench::waits([&] { return bench.controller().sweep().done() > 0; }));
      bench.controller().page().button("stop")->click();
      QVERIFY(SweepBench::waits([&] { return !bench.controller().isRunning(); }));
      if (bench.controller().sweep().done() == 6) QSKIP("the sweep was faster than the stop");
      QVERIFY(!bench.controller().page().button("go_on")->isHidden());
    }
    SweepBench bench(folder);
    QVERIFY(bench.ready);
    QVERIFY(SweepBench::waits(
        [&] { return !bench.controller().notices(bench.window->page()).isEmpty(); }));
    const Notice notice = bench.controller().notices(bench.window->page()).first();
    QVERIFY2(notice.sentence.contains("“sweep of mine” is unfinished") &&
                 notice.sentence.contains("of 3 settings"),
             qPrintable(notice.sentence));
    QVERIFY(bench.window->notices().notices().size() == 1);
    notice.answers.first().second();
    QVERIFY(SweepBench::waits([&] { return bench.controller().sweep().isKnown(); }));
    // Earlier measurements are there at once.
    std::size_t repeats = 0;
    for (const PointState& point : bench.controller().sweep().points())
      repeats += point.repeats.size();
    QVERIFY(repeats > 0);
    QVERIFY(SweepBench::waits([&] { return !bench.controller().isRunning(); }));
    QCOMPARE(bench.controller().sweep().end()->sentence, QString());
    QCOMPARE(bench.controller().sweep().finding().ranking.size(), 3U);
    QCOMPARE(bench.controller().sweep().experiment(), QString("sweep of mine"));
  }

  void aTrialThatFailsIsShownWithItsReason() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kFastStep);
    SweepBench bench(folder);
    QVERIFY(bench.ready);
    SweepOrder order = quickOrder("8,16");
    order.trialBytes = 1000000;  // No engine is that small.
    QVERIFY(bench.measures(order));
    QVERIFY(SweepBench::waits([&] { return !bench.controller().isRunning(); }));
    QCOMPARE(bench.controller().sweep().failed(), 2);
    QVERIFY2(bench.controller().page().words().contains("2 failed"),
             qPrintable(bench.controller().page().words()));
  }

  void closingTheWindowStopsASweepAndKeepsIt() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kFastStep);
    SweepBench bench(folder);
    QVERIFY(bench.ready);
    SweepOrder order = quickOrder("8,16");
    order.seconds = 1000;
    QVERIFY(bench.measures(order));
    QVERIFY(!bench.window->close());
    QVERIFY(SweepBench::waits([&] { return !bench.window->isVisible(); }));
    QCOMPARE(bench.controller().sweep().end()->kind, ChildEnd::Kind::Stopped);
  }
};

}  // namespace millrace

using millrace::TestSweepInWindow;
MILLRACE_TEST_CASE(TestSweepInWindow)
#include "tst_sweep_in_window.moc"
