// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#sweep: a sweep is requested, drawn while it is measured, and exported.
#include <algorithm>

#include <QAbstractItemModelTester>
#include <QJsonArray>

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"
#include "tests/widgets/cut_titles.h"
#include "tests/widgets/engine_script.h"
#include "tests/widgets/stepped_pipeline.h"
#include "tests/widgets/stream_events.h"
#include "widgets/common/contrast.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"
#include "widgets/models/search/live_sweep.h"
#include "widgets/sweep/importance_bars.h"
#include "widgets/sweep/job_strip.h"
#include "widgets/sweep/sweep_page.h"
#include "widgets/sweep/sweep_plot.h"
#include "widgets/sweep/sweep_table_model.h"

namespace millrace {

namespace {

using tests::parsed;

const std::string kSwept =
    tests::steppedPipeline({.samples = 100000, .workers = 2, .batchSize = 16});

/// A sweep over one parameter, or two, built from events.
class SweepFromEvents {
 public:
  explicit SweepFromEvents(bool two, const SettingNames& names = {}) {
    sweep.begin("small", names);
    QJsonArray trials;
    int number = 0;
    for (const int workers : {1, 2, 4})
      for (const int batch : two ? std::vector<int>{16, 32} : std::vector<int>{16}) {
        QJsonObject settings{{"workers.count", workers}};
        if (two) settings["batch.size"] = batch;
        trials << QJsonObject{
            {"trial", number++}, {"settings", settings}, {"current", workers == 2 && batch == 16}};
      }
    QJsonArray axes{parsed(R"({"param":"workers.count","values":[1,2,4],"current":2})")};
    if (two) axes << parsed(R"({"param":"batch.size","values":[16,32],"current":16})");
    tests::tell(sweep, {{"event", "sweep"},
                        {"repeats", 2},
                        {"experiment", "sweep of small"},
                        {"axes", axes},
                        {"trials", trials}});
  }
  void begin(int trial, int repeat = 1) {
    tests::tell(sweep, {{"event", "trial_begun"},
                        {"trial", trial},
                        {"repeat", repeat},
                        {"done", done},
                        {"of", 12},
                        {"seconds_left", 90.0},
                        {"run_id", QString::number(40 + trial)}});
  }
  void measure(int trial, double rate) {
    begin(trial);
    ++done;
    tests::tell(
        sweep, {{"event", "trial_ended"}, {"trial", trial}, {"state", "measured"}, {"rate", rate}});
  }
  void fail(int trial, const QString& reason) {
    begin(trial);
    tests::tell(
        sweep,
        {{"event", "trial_ended"}, {"trial", trial}, {"state", "failed"}, {"reason", reason}});
  }

  LiveSweep sweep;
  int done = 0;
};

QString cell(const SweepTableModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

}  // namespace

class TestSweep : public QObject {
  Q_OBJECT
 private slots:
  void settingsAreSortedByThroughputWithFailedOnesLast() {
    SweepFromEvents source(false);
    SweepTableModel model(source.sweep);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), 0);
    model.refresh();
    QCOMPARE(model.rowCount(), 3);
    const QPersistentModelIndex four = model.index(2, 0);
    source.measure(2, 180);
    source.fail(0, "it took more than 2 GB");
    model.refresh();
    // Measured, not yet measured, failed.
    QCOMPARE(cell(model, 0, 0) + cell(model, 1, 0) + cell(model, 2, 0), QString("421"));
    source.measure(1, 100);
    model.refresh();
    QCOMPARE(four.row(), 0);
    QCOMPARE(cell(model, 0, 0), QString("4"));
    QCOMPARE(cell(model, 0, 1), QString("180"));
    QCOMPARE(cell(model, 0, 3), QString("+80.0") + QChar(0xA0) + '%');
    QCOMPARE(cell(model, 0, 5), QString("1 of 2"));
    QCOMPARE(cell(model, 0, 4), QString("42"));
    QCOMPARE(cell(model, 1, 3), QString("now"));
    QCOMPARE(cell(model, 2, 5), QString("failed: It took more than 2 GB."));
    source.sweep.begin("another");
    model.refresh();
    QCOMPARE(model.rowCount(), 0);
  }

  void oneParameterIsALineAndTwoAreAMap() {
    SweepFromEvents line(false);
    SweepPlot plot(line.sweep);
    plot.resize(500, 320);
    line.measure(1, 100);
    line.measure(2, 180);
    plot.refresh();
    QVERIFY(plot.grid() && !plot.grid()->y && plot.grid()->numbers);
    QCOMPARE(plot.grid()->columns.size(), 3U);
    QVERIFY(plot.placeOf(2).y() < plot.placeOf(1).y());
    QCOMPARE(plot.pointAt(plot.placeOf(2)), std::optional<std::size_t>(2));

    // Its label is above every repeat, and claims no more than is shown.
    line.measure(2, 300);
    plot.refresh();
    QCOMPARE(plot.labelOf(2), "highest " + shownRate(*line.sweep.rateOf(2)));
    QCOMPARE(plot.labelOf(1), QString("100"));
    const double perSample = (plot.placeOf(1).y() - plot.placeOf(2).y()) /
                             (*line.sweep.rateOf(2) - *line.sweep.rateOf(1));
    const double highest = plot.placeOf(1).y() - 200 * perSample;
    QVERIFY(plot.labelBox(2).bottom() < highest);

    SweepFromEvents map(true);
    SweepPlot heat(map.sweep);
    heat.resize(500, 320);
    heat.show();
    map.measure(0, 50);
    map.measure(5, 400);
    map.fail(3, "killed");
    heat.refresh();
    QVERIFY(heat.grid()->y);
    QCOMPARE(heat.grid()->rows.size(), 2U);
    QCOMPARE(heat.grid()->least, 50.0);
    QCOMPARE(heat.grid()->most, 400.0);
    for (std::size_t p = 0; p < map.sweep.points().size(); ++p)
      QCOMPARE(heat.pointAt(heat.placeOf(p)), std::optional(p));
    QSignalSpy taken(&heat, &SweepPlot::pointTaken);
    QTest::keyClick(&heat, Qt::Key_Right);
    QTest::keyClick(&heat, Qt::Key_Right);
    QTest::keyClick(&heat, Qt::Key_Down);
    QCOMPARE(heat.chosen(), std::optional<std::size_t>(3));
    QVERIFY2(heat.accessibleDescription().contains("failed: Killed."),
             qPrintable(heat.accessibleDescription()));
    QTest::keyClick(&heat, Qt::Key_Return);
    QTest::mouseDClick(&heat, Qt::LeftButton, {}, heat.placeOf(5).toPoint());
    QCOMPARE(taken.size(), 2);
    QCOMPARE(taken.last().first().toULongLong(), 5ULL);
  }

  /// A figure is readable on every shade of the scale.
  void theMapsFiguresAreReadable() {
    for (const Appearance appearance : {Appearance::Light, Appearance::Dark}) {
      applyTheme(appearance);
      for (int i = 0; i <= 20; ++i)
        QVERIFY2(contrast(theme()[Tone::Text], sweepShade(i / 20.0)) >= 4.5,
                 qPrintable(QString("%1 at %2").arg(theme().isDark() ? "dark" : "light").arg(i)));
      QVERIFY(contrast(theme()[Tone::Error], theme()[Tone::ErrorSoft]) >= 4.5);
      QVERIFY(contrast(theme()[Tone::Hint], theme()[Tone::Alt]) >= 4.5);
      QVERIFY(sweepShade(1) != sweepShade(0.5) && sweepShade(0.5) != sweepShade(0));
    }
    applyTheme(Appearance::Light);
  }

  void thePageShowsProgressAndFindings() {
    SweepFromEvents source(true);
    SweepPage page(source.sweep);
    page.resize(1100, 700);
    page.show();
    for (int p = 0; p < 6; ++p)
      for (int r = 0; r < 2; ++r) source.measure(p, 100 + 40 * p + r);
    source.begin(3, 2);
    page.refresh();
    QCOMPARE(page.words(), QString("12 of 12 trials done"));
    QCOMPARE(page.leftText(), QString("1 min 30 s left"));
    QVERIFY2(page.findingText().contains("Fastest so far") && page.findingText().contains("300"),
             qPrintable(page.findingText()));
    QVERIFY(page.button("stop")->isVisible() && !page.button("go_on")->isVisible());
    QCOMPARE(page.importance().bars().size(), 4);
    QVERIFY(!page.button("take")->isEnabled());
    page.table().setCurrentIndex(page.model().index(0, 0));
    QCOMPARE(page.plot().chosen(), std::optional<std::size_t>(5));
    QVERIFY(page.button("take")->isEnabled());
    QSignalSpy taken(&page, &SweepPage::takeRequested);
    page.button("take")->click();
    QCOMPARE(taken.size(), 1);
    page.setTakeObstacle("Its pipeline was closed.");
    QVERIFY(!page.button("take")->isEnabled());
    emit page.plot().pointTaken(2);
    QCOMPARE(taken.size(), 1);
    source.sweep.finish({ChildEnd::Kind::Failed, "The sweep ended: the disk is full.", {}, {}});
    page.refresh();
    QVERIFY(!page.button("stop")->isVisible());
    QVERIFY2(page.words().contains("kept as “sweep of small”"), qPrintable(page.words()));
  }

  void theBestIsChosenAtTheEnd() {
    SweepFromEvents source(false);
    SweepPage page(source.sweep);
    source.measure(1, 100);
    source.measure(2, 180);
    page.refresh();
    QVERIFY(!page.plot().chosen());
    source.sweep.finish({ChildEnd::Kind::Finished, {}, {}, {}});
    page.refresh();
    QCOMPARE(page.plot().chosen(), std::optional<std::size_t>(2));
    QVERIFY(page.button("take")->isEnabled());
    // The user's choice remains.
    page.table().setCurrentIndex(page.model().index(1, 0));
    page.refresh();
    QCOMPARE(page.plot().chosen(), std::optional<std::size_t>(1));
  }

  void anUnprovenFirstIsNotCalledTheFastest() {
    SweepFromEvents source(false);
    SweepPage page(source.sweep);
    for (const double rate : {100.0, 103.0}) source.measure(1, rate);
    for (const double rate : {102.0, 104.0}) source.measure(2, rate);
    for (const double rate : {50.0, 51.0}) source.measure(0, rate);
    page.refresh();
    // Its interval overlaps that of the second, but not that of the third.
    QVERIFY2(page.findingText().contains("<b>Highest rate so far</b>") &&
                 page.findingText().count("too few") == 1 &&
                 page.findingText().contains("than the current setting"),
             qPrintable(page.findingText()));
    SweepFromEvents clear(false);
    SweepPage other(clear.sweep);
    for (const double rate : {100.0, 103.0}) clear.measure(1, rate);
    for (const double rate : {202.0, 204.0}) clear.measure(2, rate);
    other.refresh();
    QVERIFY2(other.findingText().contains("<b>Fastest so far</b>") &&
                 !other.findingText().contains("No measurable difference"),
             qPrintable(other.findingText()));
  }

  void parametersHaveTheInspectorsNames() {
    const Graph graph = *parseGraph(kSwept, builtinCatalog()).graph;
    SweepFromEvents source(true, SettingNames(graph, builtinCatalog()));
    SweepPage page(source.sweep);
    source.measure(0, 100);
    page.refresh();
    const auto head = [&](int column, int role) {
      return page.model().headerData(column, Qt::Horizontal, role).toString();
    };
    QCOMPARE(head(0, Qt::DisplayRole), QString("Workers › Threads"));
    QCOMPARE(head(0, Qt::ToolTipRole), QString("workers.count"));
    QVERIFY2(page.findingText().contains("Workers › Threads"), qPrintable(page.findingText()));
    // Programs get the names of the file.
    QCOMPARE(page.plot().table().columns.first(), QString("workers.count"));
  }

  void noTitleIsCutInAWindow1240Wide() {
    const Graph graph = *parseGraph(kSwept, builtinCatalog()).graph;
    SweepFromEvents source(true, SettingNames(graph, builtinCatalog()));
    SweepPage page(source.sweep);
    page.resize(1240, 700);
    page.show();
    page.refresh();
    QCOMPARE(tests::cutTitles(page.table()), QStringList());
  }

  void theChartCanBeExportedAsPictureAndTable() {
    SweepFromEvents source(true);
    source.measure(4, 300);
    source.fail(0, "a, \"b\"");
    SweepPlot plot(source.sweep);
    plot.resize(500, 320);
    plot.refresh();
    const tests::TemporaryFolder folder;
    for (const char* name : {"a.png", "a.svg", "a.csv", "a.json"})
      VERIFY_OK(plot.exportTo(fileText(folder.path() / name)));
    QVERIFY(!plot.exportTo(fileText(folder.path() / "a.txt")).ok());
    QFile csv(fileText(folder.path() / "a.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), 7);
    QVERIFY(lines[0].startsWith("workers.count,batch.size,state,samples_per_second"));
    QVERIFY2(lines[1].startsWith("1,16,failed,,,,0,40,\"a, \"\"b\"\"\""), lines[1].constData());
    QVERIFY2(lines[5].startsWith("4,16,1 of 2,300"), lines[5].constData());
  }

  void theImportanceCanBeExportedToo() {
    SweepFromEvents source(true);
    ImportanceBars bars(source.sweep);
    bars.refresh();
    QVERIFY(!bars.exportAction()->isEnabled());
    for (int p = 0; p < 6; ++p)
      for (int r = 0; r < 2; ++r) source.measure(p, 100 + 40 * p + r);
    bars.resize(240, 160);
    bars.refresh();
    QVERIFY(bars.exportAction()->isEnabled());
    const tests::TemporaryFolder folder;
    for (const char* name : {"b.png", "b.svg", "b.csv", "b.json"})
      VERIFY_OK(bars.exportTo(fileText(folder.path() / name)));
    const std::string csv = tests::contentOf(folder.path() / "b.csv");
    QVERIFY2(csv.starts_with("parameter,share\n"), csv.c_str());
    QCOMPARE(static_cast<qsizetype>(std::ranges::count(csv, '\n')), 1 + bars.bars().size());
  }

  void waitingForTheCoresIsShown() {
    LiveSweep sweep;
    sweep.begin("cats");
    tests::tell(sweep, parsed(R"({"event":"sweep","repeats":1,"axes":[{"param":"workers.count",
      "values":[1]}],"trials":[{"settings":{"workers.count":1},"current":true}]})"));
    QVERIFY(sweep.isKnown());
    SweepPage page(sweep);
    tests::tell(sweep, parsed(R"({"event":"trial_begun","trial":0,"repeat":1,"done":0,"of":1})"));
    tests::tell(sweep, parsed(R"({"event":"waiting","for":"cores","seconds_left":10})"));
    page.refresh();
    const auto* strip = page.findChild<JobStrip*>();
    QVERIFY2(strip->words().contains("waiting up to 10 s"), qPrintable(strip->words()));
    tests::tell(sweep, parsed(R"({"event":"waiting","for":"cores","seconds_left":0})"));
    page.refresh();
    QCOMPARE(strip->words(), QString("0 of 1 trials done"));
  }

  /// The output of a foreign child.
  void aPlanThatMakesNoSenseIsIgnored() {
    LiveSweep sweep;
    sweep.begin("odd");
    tests::tell(
        sweep,
        parsed(
            R"({"event":"sweep","axes":[{"param":"a.b","values":[1]}],"trials":[{"settings":{}}]})"));
    tests::tell(sweep, parsed(R"({"event":"trial_begun","trial":0})"));
    tests::tell(sweep, parsed(R"({"event":"trial_ended","trial":0,"state":"measured","rate":1})"));
    QVERIFY(!sweep.isKnown());
    SweepPage page(sweep);
    page.grab();
    QCOMPARE(page.model().rowCount(), 0);
  }
};

}  // namespace millrace

using millrace::TestSweep;
MILLRACE_TEST_CASE(TestSweep)
#include "tst_sweep.moc"
