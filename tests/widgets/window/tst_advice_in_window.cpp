// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#what-limits-a-run: a change applied on the card of a run, and what the next run
// says of it, in the main window. A script replaces the engine, so that the figures are the same on
// every machine.
#include <QFile>
#include <QPushButton>

#include "app/workbench/controllers/run_controller.h"
#include "core/events/stream/event_json.h"
#include "core/graph/graph_check.h"
#include "core/graph/json/graph_json.h"
#include "core/graph/plan.h"
#include "tests/support/test_case.h"
#include "tests/widgets/busy_workers.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/stepped_pipeline.h"
#include "tests/widgets/window_bench.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/run_views.h"
#include "widgets/common/format.h"

namespace millrace {

namespace {

const std::string kTwoThreads = tests::steppedPipeline({.workers = 2, .stepSeconds = 0.001});

Plan planOf(const Graph& graph) {
  CheckOptions options;
  options.device = DeviceUse::DontDetect;
  return makePlan(*checkGraph(graph, builtinCatalog(), options).pipeline).take();
}

/// A run's event stream as the engine writes it.
std::string streamOf(const Graph& graph, const RunResult& result) {
  std::string lines = helloEvent(1, "0.1.0") + '\n' + planEvent(1, planOf(graph)) + '\n';
  lines += phaseEvent(1, {0, 3, false, 5}) + '\n';
  return lines + resultEvent(6, result, {"5", "mine"}) + '\n';
}

class AdviceBench {
 public:
  AdviceBench() {
    folder.write("mine.millrace.json", kTwoThreads);
    bench = std::make_unique<tests::WindowBench>(folder);
    const QByteArray stream = QByteArray::fromStdString((folder.path() / "stream").string());
    controller().session().process().setProgram(
        tests::writeEngine(fileText(folder.path()), "exec cat '" + stream + "'\n"));
    controller().setMeasure({0, 5, 3});
  }
  /// Runs the pipeline with this result, and waits until the run and its advice are complete.
  bool runs(const RunResult& result) {
    folder.write("stream", streamOf(bench->document().graph(), result));
    if (!bench->waits([&] { return bench->window->action("run")->isEnabled(); })) return false;
    controller().run();
    return bench->waits([&] { return !controller().session().isRunning(); });
  }
  RunController& controller() { return bench->window->controller(); }
  AdvicePanel& card() { return controller().views().advice(); }

  tests::TemporaryFolder folder;
  std::unique_ptr<tests::WindowBench> bench;
};

}  // namespace

class TestAdviceInWindow : public QObject {
  Q_OBJECT
 private slots:
  void anAppliedChangeIsOneEditAndTheNextRunSaysWhatItGave() {
    AdviceBench b;
    QVERIFY(b.bench->ready);
    QVERIFY(b.runs(tests::busyWorkers(2)));
    QVERIFY(b.bench->waits([&] { return b.card().change().has_value(); }));
    QVERIFY2(b.card().change()->edit.startsWith("Workers › Threads"),
             qPrintable(b.card().change()->edit));
    QVERIFY(b.card().applyButton().isVisible() && b.card().applyButton().isEnabled());
    QCOMPARE(b.card().outcomeText(), QString());

    QTest::mouseClick(&b.card().applyButton(), Qt::LeftButton);
    Document& document = b.bench->document();
    QCOMPARE(document.undoStack().count(), 1);
    QVERIFY(document.graph().node("workers")->params.at("count") ==
            ParamValue{Value{std::int64_t{8}}});
    QVERIFY2(b.card().staleText().startsWith("Applied: Workers › Threads"),
             qPrintable(b.card().staleText()));
    QVERIFY(!b.card().applyButton().isEnabled());

    QVERIFY(b.runs(tests::busyWorkers(8, 3900)));
    const auto outcome = [&] { return b.card().outcomeText().replace(QChar(0xA0), ' '); };
    QVERIFY(b.bench->waits([&] { return !outcome().isEmpty(); }));
    QVERIFY2(outcome().startsWith("Workers › Threads"), qPrintable(outcome()));
    QVERIFY2(outcome().contains("was expected to give"), qPrintable(outcome()));
    QVERIFY2(outcome().contains("It gives 3 900"), qPrintable(outcome()));
    QVERIFY2(outcome().contains("after 1 000 without it."), qPrintable(outcome()));
    QCOMPARE(b.card().staleText(), QString());
  }

  void otherProcessesAreNotShownAsASecondLimit() {
    AdviceBench b;
    QVERIFY(b.bench->ready);
    RunResult disturbed = tests::busyWorkers(2);
    disturbed.environment = {{"cores_usable", "2"}};
    for (SpanFigures& repeat : disturbed.repeats) {
      repeat.otherBusyShare = 0.6;
      repeat.cpuSecondsPer1000Samples =
          1000 * 0.8 * repeat.seconds / static_cast<double>(repeat.samples);
    }
    QVERIFY(b.runs(disturbed));
    QVERIFY(b.bench->waits([&] { return b.card().change().has_value(); }));
    const QString text = b.card().change()->text;
    QVERIFY2(text.contains("Other processes slowed it"), qPrintable(text));
    QVERIFY2(!text.contains("imit: other processes"), qPrintable(text));
  }

  /// A quick look names what is likely, and offers what makes it sure.
  void aShortRunOffersToMeasureLonger() {
    AdviceBench b;
    QVERIFY(b.bench->ready);
    b.controller().setMeasure({0.5, 2, 1});
    RunResult quick = tests::busyWorkers(2);
    quick.repeats.resize(1);
    for (SpanFigures* figures : {&quick.figures, &quick.repeats.front()}) figures->seconds = 2;
    QVERIFY(b.runs(quick));
    QVERIFY2(b.card().headline().endsWith("probably limited run 5"),
             qPrintable(b.card().headline()));
    QVERIFY2(b.card().evidence().last().contains("A longer run"),
             qPrintable(b.card().evidence().join(' ')));
    QPushButton& longer = b.card().longerButton();
    QVERIFY(longer.isVisible() && longer.isEnabled());
    QVERIFY2(longer.toolTip().contains("3 repeats"), qPrintable(longer.toolTip()));
    b.folder.write("stream", streamOf(b.bench->document().graph(), tests::busyWorkers(2)));
    QTest::mouseClick(&longer, Qt::LeftButton);
    QCOMPARE(b.controller().measure(), (MeasureChoice{2, 5, 3}));
    QVERIFY(b.controller().session().isRunning());
    QVERIFY(b.bench->waits([&] { return !b.controller().session().isRunning(); }));
    QVERIFY(b.card().headline().endsWith(" limited run 5") && !longer.isVisible());
    QVERIFY(!b.card().headline().contains("probably"));
  }

  /// The rules for a whole run know more than those for one that goes on.
  void theLimitOfTheWholeRunIsTheHeadlineIfThereIsNoOther() {
    AdviceBench b;
    QVERIFY(b.bench->ready);
    RunResult between = tests::busyWorkers(2);
    const auto change = [](SpanFigures& figures) {
      QueueFigures& queue = figures.queues.front();
      queue.emptyShare = 0.5;
      queue.fullShare = 0.3;
      queue.readerWaitSeconds = 1;
      queue.writerWaitSeconds = 2;
    };
    change(between.figures);
    for (SpanFigures& repeat : between.repeats) change(repeat);
    QVERIFY(b.runs(between));
    QVERIFY(b.bench->waits([&] { return b.card().change().has_value(); }));
    QCOMPARE(b.card().headline(), b.card().change()->cause);
    QVERIFY2(b.card().headline().startsWith("Likely limit: "), qPrintable(b.card().headline()));
  }

  void anUndoneChangeHasNoOutcome() {
    AdviceBench b;
    QVERIFY(b.bench->ready && b.runs(tests::busyWorkers(2)));
    QVERIFY(b.bench->waits([&] { return b.card().change().has_value(); }));
    QTest::mouseClick(&b.card().applyButton(), Qt::LeftButton);
    b.bench->document().undoStack().undo();
    QVERIFY(b.bench->waits([&] { return b.card().applyButton().isEnabled(); }));
    QCOMPARE(b.card().staleText(), QString());
    QVERIFY(b.runs(tests::busyWorkers(2)));
    QVERIFY(b.bench->waits([&] { return b.card().change().has_value(); }));
    QCOMPARE(b.card().outcomeText(), QString());
  }
};

}  // namespace millrace

using millrace::TestAdviceInWindow;
MILLRACE_TEST_CASE(TestAdviceInWindow)
#include "tst_advice_in_window.moc"
