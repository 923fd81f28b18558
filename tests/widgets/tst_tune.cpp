// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// INTERACTION 31 and the tuner: it is asked for, watched while it measures, and its finding told.
#include <QAbstractItemModelTester>
#include <QImage>
#include <QJsonArray>
#include <QProgressBar>
#include <QTableView>

#include "core/graph/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/stepped_pipeline.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/inspector/field_row.h"
#include "widgets/models/advice_edits.h"
#include "widgets/models/document.h"
#include "widgets/models/live_tune.h"
#include "widgets/models/tune_order.h"
#include "widgets/sweep/sweep_axis_row.h"
#include "widgets/tune/tune_dialog.h"
#include "widgets/tune/tune_page.h"
#include "widgets/tune/tune_plot.h"
#include "widgets/tune/tune_table_model.h"

namespace millrace {

namespace {

const std::string kTuned = tests::steppedPipeline({.samples = 100000, .batchSize = 16});

QJsonObject threads(int to) {
  return {{"node", "workers"},
          {"param", "count"},
          {"from", "1"},
          {"to", QString::number(to)},
          {"changes_samples", "nothing"},
          {"text", QString("workers.count 1 -> %1").arg(to)}};
}

/// A tuning as its events tell it: as it is, 2 threads, 4 threads, a cache.
class ToldTune {
 public:
  ToldTune() {
    tune.begin("small", 60);
    tune.take({{"event", "tune"}, {"experiment", "tuning of small"}, {"budget_seconds", 60}});
    begin(0, {});
  }
  void begin(int trial, const QJsonArray& edits) {
    tune.take({{"event", "trial_begun"},
               {"trial", trial},
               {"edits", edits},
               {"seconds_left", 50.0},
               {"run_id", QString::number(40 + trial)}});
  }
  void end(int trial, double rate, double bytes, double gain, int best) {
    tune.take({{"event", "trial_ended"},
               {"trial", trial},
               {"state", "measured"},
               {"repeat", 1},
               {"samples_per_second", QJsonObject{{"mean", rate}}},
               {"cores", 1.5},
               {"peak_rss_bytes", bytes},
               {"gain", gain},
               {"best", best}});
  }
  void space() {
    tune.take({{"event", "tune_space"},
               {"limit", QJsonObject{{"kind", "decode"}, {"node", "decode"}, {"sure", "likely"}}},
               {"axes", QJsonArray{QJsonObject{{"name", "workers.count"},
                                               {"levels", QJsonArray{"1", "2", "4"}}}}}});
  }
  void all() {
    end(0, 100, 5e7, 1, 0);
    space();
    begin(1, {threads(2)});
    end(1, 180, 6e7, 1.8, 1);
    begin(2, {threads(4)});
    end(2, 170, 8e7, 1.7, 1);
    begin(3, {QJsonObject{{"add", "cache"}, {"behind", "source"}, {"limit", "1000000"}}});
    tune.take({{"event", "trial_ended"},
               {"trial", 3},
               {"state", "over_limit"},
               {"reason", "it took 2 GB of memory"}});
  }

  LiveTune tune;
};

QString cell(const TuneTableModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

}  // namespace

class TestTune : public QObject {
  Q_OBJECT
 private slots:
  void anOrderIsTheCommandLineAndIsCheckedBefore() {
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
    QVERIFY2(check.problems[1].contains("batching that training sees"),
             qPrintable(check.problems[1]));
    order.allowed.allow(SampleChange::Batching);
    QVERIFY(order.flags().join(' ').contains("--allow batching"));
    check = checkTune(graph, builtinCatalog(), order);
    QVERIFY(check.ok());
    QCOMPARE(check.trials, 10);
    order.variations[0].values = "0";
    QVERIFY(checkTune(graph, builtinCatalog(), order).problems[0].contains("1 to"));
  }

  void theDialogAsksForGoalBudgetLimitsAndWhatMayChange() {
    Document document(builtinCatalog());
    VERIFY_OK(document.openText(kTuned, "small"));
    TuneDialog dialog(document, {}, nullptr);
    QVERIFY(dialog.startButton().isEnabled());
    QVERIFY2(dialog.words().contains("about 52 trials in 120 s"), qPrintable(dialog.words()));
    const auto field = [&](const char* name) {
      for (FieldRow* row : dialog.fields())
        if (row->spec().name == name) return row;
      return static_cast<FieldRow*>(nullptr);
    };
    emit field("goal")->edited(std::string("cost"));
    emit field("budget")->edited(30.0);
    emit field("memory")->edited(std::int64_t{4000});
    emit field("allow_order")->edited(true);
    dialog.variations().add("batch", "size");
    dialog.checkNow();
    QCOMPARE(dialog.order().goal, TuneGoal::Cost);
    QCOMPARE(dialog.order().memoryBytes, std::int64_t{4000000000});
    QVERIFY(dialog.order().allowed.allows(SampleChange::Order));
    QVERIFY(!dialog.startButton().isEnabled());
    QVERIFY2(dialog.variations().rows()[0]->problem().contains("allow that below"),
             qPrintable(dialog.variations().rows()[0]->problem()));
    emit field("allow_batching")->edited(true);
    dialog.checkNow();
    QVERIFY(dialog.startButton().isEnabled());
    dialog.setObstacle("A run goes on.");
    QVERIFY(!dialog.startButton().isEnabled());
    QCOMPARE(dialog.words(), QString("A run goes on."));
  }

  void theEventsTellTheBestAndTheFront() {
    ToldTune told;
    QVERIFY(told.tune.isGoing() && !told.tune.best());
    told.all();
    QCOMPARE(told.tune.best(), std::optional<std::size_t>(1));
    // Slower and larger than trial 1.
    QCOMPARE(told.tune.front(), (std::vector<std::size_t>{1, 0}));
    QVERIFY2(told.tune.limit().startsWith("Likely limit: "), qPrintable(told.tune.limit()));
    QCOMPARE(told.tune.measured(), 3);
    QCOMPARE(told.tune.failed(), 1);
    QCOMPARE(told.tune.trials()[2].settings(), QString("workers.count 4"));
    QCOMPARE(told.tune.trials()[3].settings(), QString("cache behind source"));
    QCOMPARE(told.tune.stateWords(3), QString("over the limit"));
    // The result has the last word.
    told.tune.take(
        {{"event", "result"},
         {"best", QJsonObject{{"trial", 2}}},
         {"front", QJsonArray{2, 0}},
         {"stopped_because", "no setting next to the best is better"},
         {"verdict", QJsonObject{{"sentence", "the best is 70 % faster"}}},
         {"trials",
          QJsonArray{QJsonObject{
              {"trial", 2}, {"state", "measured"}, {"gain", 1.9}, {"rates", QJsonArray{1, 2}}}}}});
    QCOMPARE(told.tune.best(), std::optional<std::size_t>(2));
    QCOMPARE(told.tune.front(), (std::vector<std::size_t>{2, 0}));
    QCOMPARE(told.tune.stateWords(2), QString("measured 2 times"));
    QCOMPARE(told.tune.verdict(), QString("The best is 70 % faster."));
    told.tune.take({{"event", "result"}, {"verdict", QJsonObject{{"kind", "too few"}}}});
    QVERIFY(told.tune.verdict().startsWith("Too few blocks"));
  }

  /// The order within a block is drawn.
  void aLaterTrialMayBeginFirst() {
    ToldTune told;
    told.end(0, 100, 5e7, 1, 0);
    told.begin(2, {threads(4)});
    QCOMPARE(told.tune.running(), std::optional<std::size_t>(2));
    QCOMPARE(told.tune.trials()[1].settings(), QString("not begun yet"));
    told.end(2, 170, 8e7, 1.7, 2);
    QCOMPARE(told.tune.best(), std::optional<std::size_t>(2));
    TuneTableModel model(told.tune);
    model.refresh();
    QCOMPARE(model.rowCount(), 3);
    told.begin(1, {threads(2)});
    told.end(1, 180, 6e7, 1.8, 1);
    QCOMPARE(told.tune.trials()[1].settings(), QString("workers.count 2"));
    QCOMPARE(told.tune.trials()[1].run, QString("41"));
    QCOMPARE(told.tune.best(), std::optional<std::size_t>(1));
    QCOMPARE(told.tune.trials()[2].settings(), QString("workers.count 4"));
  }

  void settingsStandByGainTheBestOnTop() {
    ToldTune told;
    TuneTableModel model(told.tune);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.refresh();
    const QPersistentModelIndex asItIs = model.index(0, 0);
    told.all();
    model.refresh();
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(asItIs.row(), 2);
    QCOMPARE(cell(model, 0, TuneTableModel::Settings), QString("workers.count 2"));
    QCOMPARE(cell(model, 0, TuneTableModel::Gain), QString("+80.0") + QChar(0xA0) + '%');
    QCOMPARE(cell(model, 0, TuneTableModel::Front), QString("yes"));
    QCOMPARE(cell(model, 1, TuneTableModel::Front), QString());
    QCOMPARE(cell(model, 2, TuneTableModel::Gain), QString("as it is"));
    QCOMPARE(cell(model, 3, TuneTableModel::State),
             QString("over the limit: It took 2 GB of memory."));
    QCOMPARE(cell(model, 0, TuneTableModel::Run), QString("41"));
    told.tune.begin("another", 10);
    model.refresh();
    QCOMPARE(model.rowCount(), 0);
  }

  void theChartIsWalkedByKeysAndTakenAway() {
    ToldTune told;
    told.all();
    TunePlot plot(told.tune);
    plot.resize(500, 320);
    plot.show();
    QCOMPARE(plot.shown(), (std::vector<std::size_t>{0, 1, 2}));
    for (const std::size_t t : plot.shown())
      QCOMPARE(plot.trialAt(plot.placeOf(t)), std::optional(t));
    QVERIFY(plot.placeOf(1).y() < plot.placeOf(2).y());
    QSignalSpy taken(&plot, &TunePlot::trialTaken);
    QTest::keyClick(&plot, Qt::Key_Right);
    QTest::keyClick(&plot, Qt::Key_Right);
    QCOMPARE(plot.chosen(), std::optional<std::size_t>(1));
    QVERIFY2(plot.accessibleDescription().contains("180 samples/s"),
             qPrintable(plot.accessibleDescription()));
    QTest::keyClick(&plot, Qt::Key_Return);
    QCOMPARE(taken.size(), 1);
    plot.setCost(TunePlot::Cost::Cores);
    QCOMPARE(plot.shown().size(), 3U);
    const tests::TemporaryFolder folder;
    for (const char* name : {"a.png", "a.svg", "a.csv", "a.json"})
      VERIFY_OK(plot.exportTo(fileText(folder.path() / name)));
    QFile csv(fileText(folder.path() / "a.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY2(lines[2].startsWith("workers.count 2,measured once,180,1.8,60000000,1.5,1,1,41"),
             lines[2].constData());
  }

  /// Crowded, at the top and at the axes.
  void theNamesInTheChartHideNoPointAndStayInside() {
    const std::vector<std::vector<std::pair<double, double>>> told = {
        {{50, 5e7}, {95.2, 9e7}},                                 // hardly room above the best
        {{100, 5e7}, {180, 6e7}, {186, 6.02e7}, {184, 5.95e7}},   // the best has others above
        {{100, 5e7}, {180, 6e7}, {192, 6.01e7}, {199, 5.5e7}},    // and off the line
        {{100, 5e7}, {99, 5.02e7}, {101, 4.98e7}, {98, 5.05e7}},  // all of them neighbours
        {{95, 5e7}, {95.2, 5e7}},                                 // on top of each other
        {{95.2, 5e7}}};
    for (std::size_t c = 0; c < told.size(); ++c) {
      ToldTune tuned;
      const int best = told[c].size() > 1 ? 1 : 0;
      for (std::size_t t = 0; t < told[c].size(); ++t) {
        const int trial = static_cast<int>(t);
        if (trial > 0) tuned.begin(trial, {threads(trial + 1)});
        tuned.end(trial, told[c][t].first, told[c][t].second, 1, trial == 0 ? 0 : best);
      }
      TunePlot plot(tuned.tune);
      for (const QSize size : {QSize(500, 320), QSize(900, 500), QSize(300, 220)}) {
        plot.resize(size);
        std::vector<QRectF> names;
        for (const std::size_t t : plot.shown())
          if (const QRectF name = plot.nameBoxOf(t); !name.isNull()) names.push_back(name);
        QCOMPARE(names.size(), best == 0 ? 1U : 2U);
        if (names.size() == 2) QVERIFY(!names[0].intersects(names[1]));
        for (const QRectF& name : names) {
          QVERIFY2(plot.area().contains(name), qPrintable(QString("case %1").arg(c)));
          for (const std::size_t t : plot.shown())
            QVERIFY2(!name.adjusted(-5, -5, 5, 5).contains(plot.placeOf(t)),
                     qPrintable(QString("case %1").arg(c)));
        }
      }
    }
  }

  void point31_whatTheTuningIsForIsSeenInTableAndChart() {
    LiveTune tune;
    tune.begin("small", 60);
    tune.take({{"event", "tune"}, {"for", "latency"}, {"budget_seconds", 60}});
    // Slower, but waits less; and one that takes more for nothing.
    const double told[][3] = {{100, 8, 5e7}, {90, 2, 6e7}, {120, 9, 9e7}};
    for (int trial = 0; trial < 3; ++trial) {
      const auto& [rate, wait, bytes] = told[trial];
      tune.take(
          {{"event", "trial_begun"}, {"trial", trial}, {"edits", QJsonArray{threads(trial)}}});
      tune.take({{"event", "trial_ended"},
                 {"trial", trial},
                 {"state", "measured"},
                 {"repeat", 1},
                 {"samples_per_second", QJsonObject{{"mean", rate}}},
                 {"peak_rss_bytes", bytes},
                 {"cores", 1.0},
                 {"gain", 8 / wait},
                 {"goal_value", wait},
                 {"best", trial == 0 ? 0 : 1}});
    }
    TunePage page(tune);
    page.resize(1100, 700);
    page.show();
    page.refresh();
    QVERIFY(!page.table().isColumnHidden(TuneTableModel::Goal));
    QCOMPARE(page.model().headerData(TuneTableModel::Goal, Qt::Horizontal, Qt::DisplayRole),
             QVariant("Wait for a batch, p95"));
    QCOMPARE(cell(page.model(), 0, TuneTableModel::Goal).replace(QChar(0xA0), ' '),
             QString("2.00 ms"));
    QVERIFY2(page.findingText().contains("Wait for a batch, p95 <b>2.00"),
             qPrintable(page.findingText()));
    // The best stands lowest, though it is not the fastest.
    TunePlot& plot = page.plot();
    QVERIFY(plot.placeOf(1).y() > plot.placeOf(0).y());
    QVERIFY(plot.placeOf(0).y() > plot.placeOf(2).y());
    // Filled: nothing is better with less.
    const QImage picture = plot.grab().toImage();
    QCOMPARE(picture.pixelColor(plot.placeOf(1).toPoint()), theme().series(0));
    QCOMPARE(picture.pixelColor(plot.placeOf(2).toPoint()), theme()[Tone::Base]);
    QCOMPARE(plot.table().columns.last(), QString("goal_value"));
    QCOMPARE(plot.table().rows[1].last(), QVariant(2.0));
    // Of speed the column would say the same twice.
    ToldTune usual;
    TunePage other(usual.tune);
    QVERIFY(other.table().isColumnHidden(TuneTableModel::Goal));
  }

  void point31_thePageShowsProgressTimeLeftAndTheBest() {
    ToldTune told;
    TunePage page(told.tune);
    page.setWords([](const Advice& edit) { return "Threads to " + toQt(edit.to); });
    page.resize(1100, 700);
    page.show();
    page.refresh();
    QCOMPARE(page.leftText(), QString("50 s left"));
    QCOMPARE(page.findChild<QProgressBar*>()->value(), 10);
    QVERIFY(page.button("stop")->isVisible());
    QVERIFY(!page.button("take_best")->isEnabled());
    told.all();
    page.refresh();
    QVERIFY2(page.words().startsWith("3 trials done, 1 setting failed"), qPrintable(page.words()));
    QVERIFY2(
        page.findingText().contains("Best so far") && page.findingText().contains("Threads to 2"),
        qPrintable(page.findingText()));
    QSignalSpy taken(&page, &TunePage::takeRequested);
    page.button("take_best")->click();
    QCOMPARE(taken.last().first().toULongLong(), 1ULL);
    page.table().setCurrentIndex(page.model().index(1, 0));
    QCOMPARE(page.plot().chosen(), std::optional<std::size_t>(2));
    page.button("take")->click();
    QCOMPARE(taken.last().first().toULongLong(), 2ULL);
    // A setting that fails is not taken, by no way.
    page.table().setCurrentIndex(page.model().index(3, 0));
    QVERIFY(!page.button("take")->isEnabled());
    emit page.plot().trialTaken(3);
    QCOMPARE(taken.size(), 2);
    told.tune.finish({ChildEnd::Kind::Failed, "The tuning ended: the disk is full.", {}});
    page.refresh();
    QVERIFY(!page.button("stop")->isVisible());
    QVERIFY2(page.words().contains("kept as “tuning of small”"), qPrintable(page.words()));
  }

  void anEditIsToldByTheNamesOfTheDocument() {
    const Graph graph = *parseGraph(kTuned, builtinCatalog()).graph;
    const auto shown = [&](const QJsonObject& json) {
      return shownEdit(graph, builtinCatalog(), editOf(json)).replace(QChar(0xA0), ' ');
    };
    QCOMPARE(shown(threads(4)), QString("Workers › Threads: 1 → 4"));
    QCOMPARE(shown({{"add", "cache"}, {"behind", "source"}, {"limit", "1000"}}),
             QString("Add a memory cache behind source"));
    QCOMPARE(shown({{"node", "gone"}, {"param", "x"}, {"from", "1"}, {"to", "2"}}),
             QString("gone.x 1 -> 2"));
  }

  /// Of a child that is no engine of ours.
  void eventsThatMakeNoSenseArePassedOver() {
    LiveTune tune;
    tune.begin("odd", 10);
    tune.take({{"event", "trial_ended"}, {"trial", 7}, {"state", "measured"}, {"best", 3}});
    tune.take({{"event", "trial_begun"}, {"trial", 5}});
    tune.take({{"event", "trial_begun"}, {"trial", 100000000}});
    tune.take({{"event", "trial_begun"}, {"trial", -1}});
    tune.take({{"event", "result"}, {"best", QJsonObject{{"trial", 9}}}, {"front", QJsonArray{4}}});
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
