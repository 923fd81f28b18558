// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#long-work and the tuner: it is requested, its events are parsed, and its edits
// are shown.
#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QLineEdit>

#include "core/events/results/diagnosis_summary.h"
#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/open/examples.h"
#include "tests/support/test_case.h"
#include "tests/widgets/stepped_pipeline.h"
#include "tests/widgets/stream_events.h"
#include "tests/widgets/tune_from_events.h"
#include "widgets/common/strings.h"
#include "widgets/inspector/field_row.h"
#include "widgets/models/document.h"
#include "widgets/models/json_values.h"
#include "widgets/models/live/advice_edits.h"
#include "widgets/models/search/live_tune.h"
#include "widgets/models/search/tune_order.h"
#include "widgets/sweep/sweep_axis_row.h"
#include "widgets/tune/tune_dialog.h"
#include "widgets/tune/tune_page.h"
#include "widgets/tune/tune_table_model.h"

namespace millrace {

namespace {

const std::string kTuned = tests::steppedPipeline({.samples = 100000, .batchSize = 16});

using tests::threads;
using tests::TuneFromEvents;

QString cell(const TuneTableModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

}  // namespace

class TestTune : public QObject {
  Q_OBJECT
 private slots:
  void aTuningIsTheCommandLinesAndIsCheckedBeforeItStarts() {
    const Graph graph = *parseGraph(kTuned, builtinCatalog()).graph;
    TuneOrder order;
    QCOMPARE(order.command("cats.json"), QString("millrace tune cats.json --budget 120s"));
    order.goal = TuneGoal::Latency;
    order.budgetSeconds = 23;
    order.memoryBytes = 2000000000;
    order.cores = 2;
    order.variations = {{"workers", "count", "1,2"}, {"batch", "size", "8,16"}};
    QCOMPARE(order.flags().join(' '),
             QString("--budget 23s --for latency --memory 2000000000B --cores 2 --vary "
                     "workers.count=1,2 --vary batch.size=8,16"));
    TuneCheck check = checkTune(graph, builtinCatalog(), order);
    QVERIFY(!check.ok());
    QCOMPARE(check.problems[0], QString());
    QVERIFY2(check.problems[1].contains("batching that training gets"),
             qPrintable(check.problems[1]));
    order.allowed.allow(SampleChange::Batching);
    QVERIFY(order.flags().join(' ').contains("--allow batching"));
    check = checkTune(graph, builtinCatalog(), order);
    QVERIFY(check.ok());
    QCOMPARE(check.trials, 10);
    order.variations[0].values = "0";
    QVERIFY(checkTune(graph, builtinCatalog(), order).problems[0].contains("1 to"));
  }

  void anUnusedParameterIsNotTriedAlone() {
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(*exampleJson("classification"), "photos"));
    TuneOrder order;
    order.variations = {{"shuffle", "window", "10,20"}};
    order.allowed.allow(SampleChange::Order);
    const TuneCheck check = checkTune(document.graph(), document.catalog(), order);
    QVERIFY(!check.ok());
    QVERIFY2(check.problem.contains("shuffle.mode"), qPrintable(check.problem));
    TuneDialog dialog(document, order, nullptr);
    QVERIFY(dialog.startButton().isEnabled());
    dialog.variations().add("shuffle", "window");
    dialog.variations().rows()[0]->line().setText("10,20");
    dialog.checkNow();
    QVERIFY(!dialog.startButton().isEnabled());
    QCOMPARE(dialog.words(), QString(check.problem).remove('`'));
  }

  void waitingForTheCoresIsShown() {
    TuneFromEvents source;
    source.all();
    source.begin(1, {threads(2)});
    tests::tell(source.tune, {{"event", "waiting"}, {"seconds_left", 10.0}});
    QVERIFY2(source.tune.stepText().startsWith("waiting up to 10 s"),
             qPrintable(source.tune.stepText()));
    tests::tell(source.tune, {{"event", "waiting"}, {"seconds_left", 0.0}});
    QVERIFY2(!source.tune.stepText().contains("waiting"), qPrintable(source.tune.stepText()));
  }

  void theDialogAsksForGoalBudgetLimitsAndAllowedChanges() {
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(kTuned, "small"));
    TuneDialog dialog(document, {}, nullptr);
    QVERIFY(dialog.startButton().isEnabled());
    QVERIFY2(dialog.words().contains("at most 52 trials in 120\u00a0s"),
             qPrintable(dialog.words()));
    const auto field = [&](const char* name) {
      for (FieldRow* row : dialog.fields())
        if (row->spec().name == name) return row;
      return static_cast<FieldRow*>(nullptr);
    };
    emit field("goal")->edited(std::string("least CPU time per sample"));
    emit field("budget")->edited(30.0);
    emit field("memory")->edited(std::int64_t{4000});
    emit field("allow_order")->edited(true);
    dialog.variations().add("batch", "size");
    dialog.checkNow();
    QCOMPARE(dialog.order().goal, TuneGoal::Cost);
    QCOMPARE(dialog.order().memoryBytes, std::int64_t{4000000000});
    QVERIFY(dialog.order().allowed.allows(SampleChange::Order));
    QVERIFY(!dialog.startButton().isEnabled());
    QVERIFY2(dialog.variations().rows()[0]->problem().contains("Allow that above"),
             qPrintable(dialog.variations().rows()[0]->problem()));
    emit field("allow_batching")->edited(true);
    dialog.checkNow();
    QVERIFY(dialog.startButton().isEnabled());
    dialog.setObstacle("A run goes on.");
    QVERIFY(!dialog.startButton().isEnabled());
    QCOMPARE(dialog.words(), QString("A run goes on."));
  }

  void theEventsGiveTheBestAndTheFront() {
    TuneFromEvents source;
    QVERIFY(source.tune.isGoing() && !source.tune.best());
    source.all();
    QCOMPARE(source.tune.best(), std::optional<std::size_t>(1));
    // Slower and larger than trial 1.
    QCOMPARE(source.tune.front(), (std::vector<std::size_t>{1, 0}));
    QVERIFY2(source.tune.limit().startsWith("Likely limit: "), qPrintable(source.tune.limit()));
    QCOMPARE(source.tune.measured(), 3);
    QCOMPARE(source.tune.failed(), 1);
    QCOMPARE(source.tune.trials()[2].settings(), QString("workers.count 4"));
    QCOMPARE(source.tune.trials()[3].settings(), QString("Memory cache after source"));
    QCOMPARE(source.tune.stateText(3), QString("over the limit"));
    // The result is final.
    tests::tell(
        source.tune,
        {{"event", "result"},
         {"best", QJsonObject{{"trial", 2}}},
         {"front", QJsonArray{2, 0}},
         {"stopped_because", "no setting next to the best is better"},
         {"verdict", QJsonObject{{"sentence", "the best is 70 % faster"}}},
         {"trials",
          QJsonArray{QJsonObject{
              {"trial", 2}, {"state", "measured"}, {"gain", 1.9}, {"rates", QJsonArray{1, 2}}}}}});
    QCOMPARE(source.tune.best(), std::optional<std::size_t>(2));
    QCOMPARE(source.tune.front(), (std::vector<std::size_t>{2, 0}));
    QCOMPARE(source.tune.stateText(2), QString("measured 2 times"));
    QCOMPARE(source.tune.verdict(), QString("The best is 70 % faster."));
    tests::tell(source.tune, {{"event", "result"}, {"verdict", QJsonObject{{"kind", "too few"}}}});
    QVERIFY(source.tune.verdict().startsWith("There were too few blocks"));
  }

  /// The order within a block is random.
  void aLaterTrialMayBeginFirst() {
    TuneFromEvents source;
    source.end(0, 100, 5e7, 1, 0);
    source.begin(2, {threads(4)});
    QCOMPARE(source.tune.running(), std::optional<std::size_t>(2));
    QCOMPARE(source.tune.trials()[1].settings(), QString("not started"));
    source.end(2, 170, 8e7, 1.7, 2);
    QCOMPARE(source.tune.best(), std::optional<std::size_t>(2));
    TuneTableModel model(source.tune);
    model.refresh();
    QCOMPARE(model.rowCount(), 3);
    source.begin(1, {threads(2)});
    source.end(1, 180, 6e7, 1.8, 1);
    QCOMPARE(source.tune.trials()[1].settings(), QString("workers.count 2"));
    QCOMPARE(source.tune.trials()[1].run, QString("41"));
    QCOMPARE(source.tune.best(), std::optional<std::size_t>(1));
    QCOMPARE(source.tune.trials()[2].settings(), QString("workers.count 4"));
  }

  void settingsAreSortedByGainWithTheBestOnTop() {
    TuneFromEvents source;
    TuneTableModel model(source.tune);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.refresh();
    const QPersistentModelIndex asItIs = model.index(0, 0);
    source.all();
    model.refresh();
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(asItIs.row(), 2);
    QCOMPARE(cell(model, 0, TuneTableModel::Settings), QString("workers.count 2"));
    QCOMPARE(cell(model, 0, TuneTableModel::Gain), QString("+80.0") + QChar(0xA0) + '%');
    QCOMPARE(cell(model, 0, TuneTableModel::Front), QString("yes"));
    QCOMPARE(cell(model, 1, TuneTableModel::Front), QString());
    QCOMPARE(cell(model, 2, TuneTableModel::Gain), QString("baseline"));
    QCOMPARE(cell(model, 3, TuneTableModel::State),
             QString("over the limit: It took 2 GB of memory."));
    QCOMPARE(cell(model, 0, TuneTableModel::Run), QString("41"));
    source.tune.begin("another", 10);
    model.refresh();
    QCOMPARE(model.rowCount(), 0);
  }

  void anEditIsShownWithTheDocumentsNames() {
    const Graph graph = *parseGraph(kTuned, builtinCatalog()).graph;
    const auto shown = [&](const QJsonObject& json) {
      return shownEdit(graph, builtinCatalog(), readEdit(rawOf(json).text))
          .replace(QChar(0xA0), ' ');
    };
    QCOMPARE(shown(threads(4)), QString("Workers › Threads: 1 → 4"));
    QCOMPARE(shown({{"add", "cache"}, {"behind", "source"}, {"limit", "1000"}}),
             QString("Add a memory cache after source"));
    QCOMPARE(shown({{"node", "gone"}, {"param", "x"}, {"from", "1"}, {"to", "2"}}),
             QString("gone.x 1 -> 2"));
  }

  /// The output of a foreign child.
  void eventsThatMakeNoSenseAreIgnored() {
    LiveTune tune;
    tune.begin("odd", 10);
    tests::tell(tune, {{"event", "trial_ended"}, {"trial", 7}, {"state", "measured"}, {"best", 3}});
    tests::tell(tune, {{"event", "trial_begun"}, {"trial", 5}});
    tests::tell(tune, {{"event", "trial_begun"}, {"trial", 100000000}});
    tests::tell(tune, {{"event", "trial_begun"}, {"trial", -1}});
    tests::tell(
        tune, {{"event", "result"}, {"best", QJsonObject{{"trial", 9}}}, {"front", QJsonArray{4}}});
    QVERIFY(tune.trials().empty() && !tune.best() && tune.front().empty());
    TunePage page(tune);
    page.grab();
    QCOMPARE(page.model().rowCount(), 0);
  }
};

}  // namespace millrace

using millrace::TestTune;
MILLRACE_TEST_CASE(TestTune)
#include "tst_tune.moc"
