// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// INTERACTION 26 in the main window, with the real engine: from a parameter's menu to the setting
// that is taken, and what goes on after a restart.
#include <QAction>
#include <QLineEdit>
#include <QPushButton>

#include "app/workbench/run_desk.h"
#include "app/workbench/runs_area.h"
#include "app/workbench/runs_desk.h"
#include "app/workbench/sweep_desk.h"
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
    desk().job().setProgram(MILLRACE_BINARY);
  }
  SweepDesk& desk() { return window->sweeps(); }
  EditSession& session() { return window->page()->session(); }
  Value batchSize() { return std::get<Value>(document().graph().node("batch")->params.at("size")); }
  /// From the menu of the batch's size in the inspector.
  SweepDialog* asks() {
    session().selection.set({"batch"});
    for (FieldRow* row : window->inspector().rows())
      if (row->spec().name == "size") row->actions().first()->trigger();
    return desk().dialog();
  }
  bool measures(const SweepOrder& order) {
    desk().start(*window->page(), order);
    return waits([this] { return desk().sweep().isKnown(); });
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
  void point26_fromTheParametersMenuToASettingThatIsTaken() {
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
    QVERIFY2(bench.window->desk().statusWords().isEmpty(), "a sweep is no run");
    QVERIFY(SweepBench::waits([&] { return !bench.desk().isRunning(); }));
    const LiveSweep& sweep = bench.desk().sweep();
    QCOMPARE(sweep.end()->kind, ChildEnd::Kind::Finished);
    QCOMPARE(sweep.finding().ranking.size(), 2U);
    QCOMPARE(bench.window->tabs().currentWidget(), &bench.desk().page());

    const std::size_t other = sweep.plan().current() == 0 ? 1 : 0;
    const int steps = bench.desk().undoStackOf(&bench.desk().page())->count();
    emit bench.desk().page().plot().pointTaken(other);
    QCOMPARE(bench.batchSize(), Value{std::int64_t{32}});
    QUndoStack* undo = bench.desk().undoStackOf(&bench.desk().page());
    QCOMPARE(undo->count(), steps + 1);
    QCOMPARE(undo->undoText().replace(QChar(0xA0), ' '),
             QString("Sweep: Batch › Size 8 samples → 32 samples"));
    bench.window->action("undo")->trigger();
    QCOMPARE(bench.batchSize(), Value{std::int64_t{8}});

    // Its trials are runs.
    bench.desk().page().button("runs")->click();
    RunsPage& runs = bench.window->runs().area()->page();
    QVERIFY(SweepBench::waits([&] { return runs.model().rowCount() == 2; }));
    QVERIFY2(runs.queryLine().text().contains("sweep of mine"),
             qPrintable(runs.queryLine().text()));
  }

  void point26_aStoppedSweepIsOfferedAfterARestart() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kFastStep);
    SweepOrder order = quickOrder("16,32");  // The 8 that it has is measured beside them.
    order.repeats = 2;
    {
      SweepBench bench(folder);
      QVERIFY(bench.ready && bench.measures(order));
      QVERIFY(SweepBench::waits([&] { return bench.desk().sweep().done() > 0; }));
      bench.desk().page().button("stop")->click();
      QVERIFY(SweepBench::waits([&] { return !bench.desk().isRunning(); }));
      if (bench.desk().sweep().done() == 6) QSKIP("the sweep was faster than the stop");
      QVERIFY(!bench.desk().page().button("go_on")->isHidden());
    }
    SweepBench bench(folder);
    QVERIFY(bench.ready);
    QVERIFY(
        SweepBench::waits([&] { return !bench.desk().notices(bench.window->page()).isEmpty(); }));
    const Notice notice = bench.desk().notices(bench.window->page()).first();
    QVERIFY2(notice.sentence.contains("“sweep of mine” was not finished") &&
                 notice.sentence.contains("of 3 settings"),
             qPrintable(notice.sentence));
    QVERIFY(bench.window->notices().notices().size() == 1);
    notice.answers.first().second();
    QVERIFY(SweepBench::waits([&] { return bench.desk().sweep().isKnown(); }));
    // What was measured before is there at once.
    std::size_t repeats = 0;
    for (const PointState& point : bench.desk().sweep().points()) repeats += point.repeats.size();
    QVERIFY(repeats > 0);
    QVERIFY(SweepBench::waits([&] { return !bench.desk().isRunning(); }));
    QCOMPARE(bench.desk().sweep().end()->sentence, QString());
    QCOMPARE(bench.desk().sweep().finding().ranking.size(), 3U);
    QCOMPARE(bench.desk().sweep().experiment(), QString("sweep of mine"));
  }

  void point26_aTrialThatFailsIsShownWithItsReason() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json", kFastStep);
    SweepBench bench(folder);
    QVERIFY(bench.ready);
    SweepOrder order = quickOrder("8,16");
    order.trialBytes = 1000000;  // No engine is as small.
    QVERIFY(bench.measures(order));
    QVERIFY(SweepBench::waits([&] { return !bench.desk().isRunning(); }));
    QCOMPARE(bench.desk().sweep().failed(), 2);
    QVERIFY2(bench.desk().page().words().contains("2 failed"),
             qPrintable(bench.desk().page().words()));
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
    QCOMPARE(bench.desk().sweep().end()->kind, ChildEnd::Kind::Stopped);
  }
};

}  // namespace millrace

using millrace::TestSweepInWindow;
MILLRACE_TEST_CASE(TestSweepInWindow)
#include "tst_sweep_in_window.moc"
