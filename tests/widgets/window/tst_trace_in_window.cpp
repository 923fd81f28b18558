// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#trace: recorded from the menu with the real engine, shown on the run's page,
// and removed with the run.
#include <algorithm>
#include <array>

#include <QDir>
#include <QPushButton>
#include <QTabWidget>

#include "app/workbench/controllers/run_controller.h"
#include "app/workbench/controllers/runs_controller.h"
#include "app/workbench/window/kept_run_page.h"
#include "core/store/run_store.h"
#include "tests/support/places.h"
#include "tests/support/test_case.h"
#include "tests/widgets/stepped_pipeline.h"
#include "tests/widgets/window_bench.h"
#include "widgets/trace/trace_page.h"
#include "widgets/trace/trace_view.h"

namespace millrace {

class TestTraceInWindow : public QObject {
  Q_OBJECT
 private slots:
  void aTraceRecordedFromTheMenuIsOnTheRunsPageAndGoesWithTheRun() {
    const tests::TemporaryFolder folder;
    folder.write("mine.millrace.json",
                 tests::steppedPipeline({.samples = 2000, .stepSeconds = 0.005}));
    tests::WindowBench bench(folder);
    QVERIFY(bench.ready);
    const std::filesystem::path store = folder.path() / "runs.db";
    qputenv("MILLRACE_STORE", QByteArray::fromStdString(store.string()));
    RunController& runs = bench.window->controller();
    runs.session().process().setProgram(tests::kMillrace);
    runs.setMeasure({0, 0.5, 2});
    bench.window->action("record_trace")->trigger();
    QVERIFY(bench.window->action("record_trace")->isChecked());
    QVERIFY(bench.waits([&] { return bench.window->action("run")->isEnabled(); }));
    runs.run();
    QVERIFY(bench.waits([&] { return !runs.session().isRunning(); }));
    qunsetenv("MILLRACE_STORE");
    const LiveRun& run = runs.session().run();
    QVERIFY2(run.end()->kind == ChildEnd::Kind::Finished, qPrintable(run.end()->sentence));
    const QDir traces(fileText(folder.path() / "runs.traces"));
    QCOMPARE(traces.entryList(QDir::Files).size(), 1);

    const RunNumber number{run.runId().toLongLong()};
    bench.window->runs().openRun(number);
    QVERIFY(bench.waits([&] {
      return qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget()) != nullptr;
    }));
    auto* page = qobject_cast<KeptRunPage*>(bench.window->tabs().currentWidget());
    QVERIFY(page->hasTrace());
    auto* middle = qobject_cast<QTabWidget*>(page->centralWidget());
    auto* toTrace = page->findChild<QPushButton*>("to_trace");
    auto* toPipeline = page->findChild<QPushButton*>("to_pipeline");
    QVERIFY(toTrace->isVisible());
    toTrace->click();
    QCOMPARE(middle->currentIndex(), 1);
    QVERIFY(toPipeline->isVisible());
    toPipeline->click();
    QCOMPARE(middle->currentIndex(), 0);
    toTrace->click();
    auto* view = page->trace().findChild<TraceView*>();
    QVERIFY2(bench.waits([&] { return !view->rows().threads().empty(); }),
             qPrintable(page->trace().problem()));
    QVERIFY(std::ranges::any_of(view->rows().threads(), [](const TraceRows::Thread& thread) {
      return thread.name.startsWith("Workers:");
    }));
    QTest::keyClick(view, Qt::Key_N);
    QVERIFY(view->followed());
    QVERIFY2(page->trace().words().contains("atch 0"), qPrintable(page->trace().words()));
    QCOMPARE(page->trace().problem(), QString());

    RunStore kept = RunStore::open(store).take();
    const std::array all = {number};
    VERIFY_OK(kept.hide(all));
    QCOMPARE(traces.entryList(QDir::Files).size(), 1);
    QCOMPARE(*kept.removeHidden(), std::int64_t{1});
    QVERIFY(!traces.exists());
  }
};

}  // namespace millrace

using millrace::TestTraceInWindow;
MILLRACE_TEST_CASE(TestTraceInWindow)
#include "tst_trace_in_window.moc"
