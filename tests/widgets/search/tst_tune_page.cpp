// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#long-work: a tuning in progress, and what can be done with its result.
#include "widgets/tune/tune_page.h"

#include <algorithm>

#include <QImage>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/test_case.h"
#include "tests/widgets/cut_titles.h"
#include "tests/widgets/stepped_pipeline.h"
#include "tests/widgets/stream_events.h"
#include "tests/widgets/tune_from_events.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/tune/tune_plot.h"
#include "widgets/tune/tune_table_model.h"

namespace millrace {

namespace {

using tests::threads;
using tests::TuneFromEvents;

QString goalOf(const TuneTableModel& model, int row) {
  return model.index(row, TuneTableModel::Goal).data().toString();
}

}  // namespace

class TestTunePage : public QObject {
  Q_OBJECT
 private slots:
  void theGoalIsShownInTableAndChart() {
    LiveTune tune;
    tune.begin("small", 60);
    tests::tell(tune, {{"event", "tune"}, {"for", "latency"}, {"budget_seconds", 60}});
    // Slower, but with a shorter wait; and one that uses more without a gain.
    const double figures[][3] = {{100, 8, 5e7}, {90, 2, 6e7}, {120, 9, 9e7}};
    for (int trial = 0; trial < 3; ++trial) {
      const auto& [rate, wait, bytes] = figures[trial];
      tests::tell(
          tune,
          {{"event", "trial_begun"}, {"trial", trial}, {"edits", QJsonArray{threads(trial)}}});
      tests::tell(tune, {{"event", "trial_ended"},
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
    QCOMPARE(goalOf(page.model(), 0).replace(QChar(0xA0), ' '), QString("2.00 ms"));
    QVERIFY2(page.findingText().contains("Wait for a batch, p95 <b>2.00"),
             qPrintable(page.findingText()));
    // The best is lowest, although it is not the fastest.
    TunePlot& plot = page.plot();
    QVERIFY(plot.placeOf(1).y() > plot.placeOf(0).y());
    QVERIFY(plot.placeOf(0).y() > plot.placeOf(2).y());
    // Filled: no setting is better and cheaper.
    const QImage picture = plot.grab().toImage();
    QCOMPARE(picture.pixelColor(plot.placeOf(1).toPoint()), theme().series(0));
    QCOMPARE(picture.pixelColor(plot.placeOf(2).toPoint()), theme()[Tone::Base]);
    QCOMPARE(plot.table().columns.last(), QString("goal_value"));
    QCOMPARE(plot.table().rows[1].last(), QVariant(2.0));
    QVERIFY(page.table().isColumnHidden(TuneTableModel::Rate));
    QVERIFY(!page.table().isColumnHidden(TuneTableModel::OwnRate));
    // With throughput as the goal, the column would repeat the next one.
    TuneFromEvents usual;
    TunePage other(usual.tune);
    QVERIFY(other.table().isColumnHidden(TuneTableModel::Goal));
  }

  void aLongSettingGetsTheRoomThatTheStateDoesNotNeed() {
    LiveTune tune;
    tune.begin("small", 60);
    tests::tell(tune, {{"event", "tune"}, {"for", "throughput"}, {"budget_seconds", 60}});
    QJsonArray edits;
    for (int i = 1; i <= 4; ++i) edits << threads(i);
    tests::tell(tune, {{"event", "trial_begun"}, {"trial", 0}, {"edits", QJsonArray{}}});
    tests::tell(tune, {{"event", "trial_begun"}, {"trial", 1}, {"edits", edits}});
    TunePage page(tune);
    page.resize(1400, 700);
    page.show();
    page.refresh();
    const QAbstractItemView& cells = page.table();  // QTableView hides its width hints.
    const int needed = cells.sizeHintForColumn(TuneTableModel::Settings);
    QVERIFY2(needed > 330, qPrintable(QString::number(needed)));
    QVERIFY(page.table().columnWidth(TuneTableModel::Settings) >= needed);
    QVERIFY(page.table().columnWidth(TuneTableModel::State) >=
            cells.sizeHintForColumn(TuneTableModel::State));
  }

  /// A trial that looks better, without proof.
  void textAndFiguresOfTheFindingAgree() {
    TuneFromEvents source;
    source.all();
    TunePage page(source.tune);
    QVERIFY2(!page.findingText().contains("better by"), qPrintable(page.findingText()));
    tests::tell(
        source.tune,
        {{"event", "result"},
         {"best", QJsonObject{{"trial", 0}}},
         {"front", QJsonArray{0}},
         {"stopped_because", "the budget of 60 s was used"},
         {"trials",
          QJsonArray{QJsonObject{
              {"trial", 1}, {"state", "measured"}, {"gain", 1.086}, {"rates", QJsonArray{99}}}}}});
    source.tune.finish({ChildEnd::Kind::Finished, {}, {}, {}});
    page.refresh();
    const QString words = page.findingText().replace(QChar(0xA0), ' ');
    QVERIFY2(words.contains("is proven to be better") && words.contains("+70.0 %"),
             qPrintable(words));
    QVERIFY2(!words.contains("No tried setting is better"), qPrintable(words));
  }

  void aBestThatAnotherSettingSeemsToBeatSaysWhyItIsTheBest() {
    TuneFromEvents source;
    source.all();
    source.tune.finish({ChildEnd::Kind::Finished, {}, {}, {}});
    TunePage page(source.tune);
    page.refresh();
    QVERIFY(!page.findingText().contains("looks as good"));
    // Four threads seem faster with less memory, but two are the setting that was shown to be.
    TuneFromEvents other;
    other.all();
    other.end(2, 183, 5e7, 1.83, 1);
    other.tune.finish({ChildEnd::Kind::Finished, {}, {}, {}});
    QCOMPARE(other.tune.best(), std::optional<std::size_t>(1));
    QCOMPARE(other.tune.rivalOfBest(), std::optional<std::size_t>(2));
    QVERIFY(std::ranges::find(other.tune.front(), std::size_t{1}) == other.tune.front().end());
    TunePage beaten(other.tune);
    beaten.refresh();
    QVERIFY2(beaten.findingText().contains("looks as good or better with no more memory and cores"),
             qPrintable(beaten.findingText()));
  }

  void ratesAgreeWithTheGain() {
    TuneFromEvents source;
    source.end(0, 100, 5e7, 1, 0);
    source.begin(1, {threads(2)});
    // In a slow block, in which the unmodified pipeline was even slower.
    source.end(1, 90, 6e7, 1.2, 1);
    TunePage page(source.tune);
    page.refresh();
    const auto shown = [&](int column) { return page.model().index(0, column).data().toString(); };
    QCOMPARE(shown(TuneTableModel::Rate), QString("120"));
    QCOMPARE(shown(TuneTableModel::OwnRate), QString("90"));
    QVERIFY2(page.findingText().contains("120 samples/s"), qPrintable(page.findingText()));
    QVERIFY(page.plot().placeOf(1).y() < page.plot().placeOf(0).y());
    QCOMPARE(source.tune.front(), (std::vector<std::size_t>{1, 0}));
  }

  void aTuningWithoutATrialOfAnotherSettingProvesNothing() {
    TuneFromEvents source;
    source.end(0, 100, 5e7, 1, 0);
    source.begin(1, {threads(2)});
    source.tune.finish({ChildEnd::Kind::Finished, {}, {}, {}});
    TunePage page(source.tune);
    page.refresh();
    QVERIFY2(page.findingText().contains("No other setting was measured"),
             qPrintable(page.findingText()));
  }

  void theBestIsChosenAtTheEnd() {
    TuneFromEvents source;
    source.all();
    TunePage page(source.tune);
    page.refresh();
    QVERIFY(!page.plot().chosen());
    source.tune.finish({ChildEnd::Kind::Finished, {}, {}, {}});
    page.refresh();
    QCOMPARE(page.plot().chosen(), std::optional<std::size_t>(1));
    QCOMPARE(page.table().currentIndex().row(), 0);
    QVERIFY(page.button("take")->isEnabled());
    // The user's choice remains.
    page.table().setCurrentIndex(page.model().index(1, 0));
    page.refresh();
    QCOMPARE(page.plot().chosen(), std::optional<std::size_t>(2));
  }

  void settingsHaveTheInspectorsNames() {
    const Graph graph =
        *parseGraph(tests::steppedPipeline({.samples = 100, .workers = 1, .batchSize = 8}),
                    builtinCatalog())
             .graph;
    TuneFromEvents source(SettingNames(graph, builtinCatalog()));
    source.all();
    tests::tell(
        source.tune,
        {{"event", "tune_space"},
         {"axes",
          QJsonArray{
              QJsonObject{{"name", "workers.count"}, {"levels", QJsonArray{"1", "2", "4"}}},
              QJsonObject{{"name", "cache"}, {"levels", QJsonArray{"none", "after:workers"}}}}}});
    TunePage page(source.tune);
    page.refresh();
    const QModelIndex best = page.model().index(0, TuneTableModel::Settings);
    QCOMPARE(best.data().toString(), QString("Workers › Threads 2"));
    QVERIFY(best.data(Qt::ToolTipRole).toString().contains("workers.count 2"));
    QVERIFY2(page.findingText().contains("Workers › Threads: 1, 2, 4"),
             qPrintable(page.findingText()));
    QVERIFY2(page.findingText().contains("Memory cache: none, after Workers"),
             qPrintable(page.findingText()));
  }

  void noTitleIsCutInAWindow1240Wide() {
    TuneFromEvents source;
    tests::tell(source.tune, {{"event", "tune"}, {"for", "latency"}, {"budget_seconds", 60}});
    source.all();
    TunePage page(source.tune);
    page.resize(1240, 700);
    page.show();
    page.refresh();
    QVERIFY(!page.table().isColumnHidden(TuneTableModel::Goal));
    QCOMPARE(tests::cutTitles(page.table()), QStringList());
  }

  void thePageShowsProgressTimeLeftAndTheBest() {
    TuneFromEvents source;
    TunePage page(source.tune);
    page.setEditText([](const Advice& edit) { return "Threads to " + toQt(edit.to); });
    page.resize(1100, 700);
    page.show();
    page.refresh();
    QCOMPARE(page.leftText(), QString("50 s left"));
    QCOMPARE(page.findChild<QProgressBar*>()->value(), 10);
    QVERIFY(page.button("stop")->isVisible());
    QVERIFY(!page.button("take_best")->isEnabled());
    source.all();
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
    // A setting that fails cannot be used in any way.
    page.table().setCurrentIndex(page.model().index(3, 0));
    QVERIFY(!page.button("take")->isEnabled());
    emit page.plot().trialTaken(3);
    QCOMPARE(taken.size(), 2);
    source.tune.finish({ChildEnd::Kind::Failed, "The tuning ended: the disk is full.", {}, {}});
    page.refresh();
    QVERIFY(!page.button("stop")->isVisible());
    QVERIFY2(page.words().contains("kept as “tuning of small”"), qPrintable(page.words()));
  }
};

}  // namespace millrace

using millrace::TestTunePage;
MILLRACE_TEST_CASE(TestTunePage)
#include "tst_tune_page.moc"
