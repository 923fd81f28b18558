// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// docs/workbench.md#what-limits-a-run, #charts, #long-work: charts, figures, advice and progress of
// a run.
#include <cmath>

#include <QApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QWheelEvent>

#include "tests/support/test_case.h"
#include "tests/widgets/recorded_run.h"
#include "tests/widgets/shown_chart.h"
#include "widgets/charts/advice_panel.h"
#include "widgets/charts/chart_link.h"
#include "widgets/charts/chart_panel.h"
#include "widgets/charts/core_panel.h"
#include "widgets/charts/figures_panel.h"
#include "widgets/charts/node_time_panel.h"
#include "widgets/charts/run_strip.h"
#include "widgets/charts/time_chart.h"
#include "widgets/charts/view_export.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"

namespace millrace {

namespace {

using tests::plain;
using tests::RecordedRun;
using Shown = tests::ShownChart;

}  // namespace

class TestRunViews : public QObject {
  Q_OBJECT
 private slots:
  void aChartShowsTheFiguresOfItsMeasuredWindows() {
    RecordedRun recorded;
    Shown shown(recorded.run);
    const QString footer = plain(shown.panel.footer());
    QVERIFY2(footer.startsWith("n 6 · mean 262 · median 261 · p95 267 · σ 4.59"),
             qPrintable(footer));
    QCOMPARE(shown.chart().content().lines.size(), 2U);
  }

  void everyViewShowsOneRateOfACompletedRun() {
    RecordedRun recorded;
    recorded.run.finish({});
    const QString rate = shownRate(*recorded.run.rate());
    Shown shown(recorded.run);
    const QString footer = plain(shown.panel.footer());
    QVERIFY2(footer.startsWith(rate + " samples/s · 1 s windows: n 6 · median 261"),
             qPrintable(footer));
    FiguresPanel figures;
    NodeTimePanel times;
    for (RunView* view : std::initializer_list<RunView*>{&figures, &times}) {
      view->setVisible(true);
      view->refresh(recorded.run, {});
    }
    QCOMPARE(figures.figures()[0].value, rate);
    QCOMPARE(figures.note(), QString());
    const QString words = times.accessibleDescription();
    QVERIFY2(words.startsWith("At " + rate + " samples/s"), qPrintable(words));
  }

  void repeatsThatDoNotCountAreNamed() {
    RecordedRun recorded({}, [](QByteArray line) {
      return line.replace("\"other_busy_share\":0.8640389830869499", "\"other_busy_share\":0.001");
    });
    FiguresPanel figures;
    figures.setVisible(true);
    figures.refresh(recorded.run, {});
    QCOMPARE(figures.note(),
             QString("Not counted: 1 of 2 repeats (other programs took 87 % of the cores)"));
    // In the dock of an ordinary window it is whole.
    figures.resize(314, 204);
    QCOMPARE(figures.shownNote(), figures.note());
    figures.resize(200, 150);
    QVERIFY(figures.shownNote().endsWith("…"));
  }

  void figuresOfARunThatIsMeasuredNameTheirSpan() {
    RecordedRun recorded(RecordedRun::isMeasured);
    FiguresPanel figures;
    figures.setVisible(true);
    figures.refresh(recorded.run, {});
    QCOMPARE(figures.note(), QString("This repeat so far; nodes show the last second."));
  }

  void pressesAnywhereOnAChartAreHarmless() {
    LiveRun none;
    Shown shown(none);
    for (const QPoint& at : {QPoint(0, 0), QPoint(1, 200), QPoint(250, 100), QPoint(499, 5)}) {
      QTest::mousePress(shown.surface(), Qt::LeftButton, {}, at);
      QTest::mouseMove(shown.surface(), at + QPoint(3, 3));
      QTest::mouseRelease(shown.surface(), Qt::LeftButton, {}, at);
      QTest::mouseDClick(shown.surface(), Qt::LeftButton, {}, at);
      QTest::mousePress(shown.surface(), Qt::RightButton, {}, at);
    }
    QVERIFY(!shown.link.range());
  }

  void aDraggedRangeHasFiguresAndEveryViewFollows() {
    RecordedRun recorded;
    Shown shown(recorded.run);
    QSignalSpy changed(&shown.link, &ChartLink::rangeChanged);
    QTest::mousePress(shown.surface(), Qt::LeftButton, {}, shown.at(4));
    QTest::mouseMove(shown.surface(), shown.at(2));
    QTest::mouseRelease(shown.surface(), Qt::LeftButton, {}, shown.at(0));
    QVERIFY(shown.link.range().has_value());
    QVERIFY(changed.count() >= 1);
    QVERIFY(shown.panel.rangeAction()->isChecked());
    const QString footer = plain(shown.panel.footer());
    QVERIFY2(footer.contains("1 s windows: n 3"), qPrintable(footer));
    QVERIFY2(footer.contains("p95 –"), qPrintable(footer));

    FiguresPanel figures;
    figures.setVisible(true);
    figures.refresh(recorded.run, shown.link.range());
    const QString rate = figures.figures()[0].value;
    QVERIFY2(footer.contains(" s · " + rate + " samples/s · "), qPrintable(footer));
    figures.refresh(recorded.run, {});
    QVERIFY(figures.figures()[0].value != rate);

    QTest::mouseClick(shown.surface(), Qt::LeftButton, {}, shown.at(10));
    QVERIFY(!shown.link.range());
    QVERIFY(!shown.panel.rangeAction()->isChecked());
  }

  /// The figures of a range are those of its measured time, in every view.
  void warmUpsInARangeDoNotCount() {
    RecordedRun recorded;
    recorded.run.finish({});
    const TimeSpan all{recorded.run.began(), recorded.run.now()};
    const TimeSpan warmup = recorded.run.warmups().front();
    Shown shown(recorded.run);
    shown.link.setRange(all);
    const LiveSpan span = recorded.run.between(all);
    QVERIFY2(span.seconds > 5.5 && span.seconds < 6.1, qPrintable(QString::number(span.seconds)));
    QVERIFY2(std::abs(span.samplesPerSecond() / *recorded.run.rate() - 1) < 0.01,
             qPrintable(QString::number(span.samplesPerSecond())));
    const QString footer = plain(shown.panel.footer());
    QVERIFY2(footer.contains(shownRate(span.samplesPerSecond()) + " samples/s"),
             qPrintable(footer));
    shown.link.setRange(warmup);
    QVERIFY(plain(shown.panel.footer()).contains("samples/s"));
  }

  void theMeansOfChartsAreTheFiguresOfTheRun() {
    RecordedRun recorded;
    recorded.run.finish({});
    Shown cores(recorded.run, coresUsedOf);
    const LiveSpan run = recorded.run.measured();
    const QString used = QString::number(run.cpuSeconds / run.seconds, 'g', 3);
    QVERIFY2(plain(cores.panel.footer()).contains("mean " + used),
             qPrintable(plain(cores.panel.footer()) + " not " + used));
    Shown queue(recorded.run, queueFillOf);
    const QString fill = QString::number(50 * run.queue("prefetch")->meanFill, 'g', 3);
    QVERIFY2(plain(queue.panel.footer()).contains("mean " + fill),
             qPrintable(plain(queue.panel.footer()) + " not " + fill));
  }

  void inItsSmallestRoomAChartDoesNotCoverItsFigures() {
    RecordedRun recorded;
    Shown shown(recorded.run);
    shown.panel.resize(shown.panel.minimumSizeHint().expandedTo({300, 0}));
    QCoreApplication::processEvents();
    const QRect chart = shown.chart().geometry();
    const auto* footer = shown.panel.findChild<QLabel*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(footer->height() >= footer->heightForWidth(footer->width()));
    QVERIFY(!chart.intersects(footer->geometry()));
    QVERIFY2(shown.panel.height() <= 160, qPrintable(QString::number(shown.panel.height())));
  }

  void theRangeActionNeedsNoMouse() {
    RecordedRun recorded;
    Shown shown(recorded.run);
    shown.panel.rangeAction()->trigger();
    QVERIFY(shown.link.range().has_value());
    QCOMPARE(shown.link.range()->to - shown.link.range()->from, 10.0);
    shown.panel.rangeAction()->trigger();
    QVERIFY(!shown.link.range());
  }

  void aFrozenViewStaysWhileRecordingContinues() {
    RecordedRun recorded(RecordedRun::isMeasured);
    Shown shown(recorded.run);
    const double now = shown.chart().content().now;
    shown.panel.freezeAction()->setChecked(true);
    recorded.feedTo({});
    shown.panel.refresh(recorded.run, {});
    QCOMPARE(shown.chart().content().now, now);
    shown.panel.freezeAction()->setChecked(false);
    shown.panel.refresh(recorded.run, {});
    QVERIFY(shown.chart().content().now > now + 5);
    QCOMPARE(recorded.run.measuredRates().points().size(), 6U);
  }

  void hiddenViewsReceiveNoData() {
    RecordedRun recorded;
    int described = 0;
    Shown shown(recorded.run, [&](const LiveRun& run) {
      ++described;
      return throughputOf(run);
    });
    QCOMPARE(described, 1);
    shown.panel.setVisible(false);
    shown.panel.refresh(recorded.run, {});
    QCOMPARE(described, 1);
    QSignalSpy again(&shown.panel, &RunView::shownAgain);
    shown.panel.setVisible(true);
    QCOMPARE(again.count(), 1);
  }

  void theCrossHairIsSharedAndFollowsTheKeys() {
    RecordedRun recorded;
    Shown shown(recorded.run);
    TimeChart other(shown.link);
    QMouseEvent move(QEvent::MouseMove, shown.at(5), shown.surface()->mapToGlobal(shown.at(5)),
                     Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(shown.surface(), &move);
    QVERIFY(shown.link.hair().has_value());
    QVERIFY(std::abs(*shown.link.hair() - (recorded.run.now() - 5)) < 0.3);
    const double before = *shown.link.hair();
    QTest::keyClick(&other, Qt::Key_Left);
    QVERIFY(*shown.link.hair() < before);
    QTest::keyClick(&shown.chart(), Qt::Key_Escape);
    QVERIFY(!shown.link.hair());
  }

  void theAxisChangesOnlyWhenItMust() {
    ChartLink link;
    TimeChart chart(link);
    chart.resize(500, 260);
    chart.setVisible(true);
    ChartContent content;
    content.now = 10;
    content.lines.push_back({"line", 0, 1, false, false, {}});
    const auto topFor = [&](double value) {
      content.lines[0].values.add(content.now += 61, value);
      chart.show(content);
      return chart.top();
    };
    QCOMPARE(topFor(800), 1000.0);
    QCOMPARE(topFor(950), 1000.0);
    QCOMPARE(topFor(1001), 1250.0);
    QCOMPARE(topFor(1300), 1500.0);
    QCOMPARE(topFor(30), 40.0);
    QCOMPARE(topFor(0), 1.0);
  }

  void aSingleWindowOfARepeatIsVisible() {
    ChartLink link;
    TimeChart chart(link);
    chart.resize(500, 260);
    chart.setVisible(true);
    ChartContent content;
    content.now = 60;
    content.lines.push_back({"line", 1, 3, false, false, {}});
    const auto drawn = [&] {
      chart.show(content);
      const QImage picture = chart.grab().toImage();
      int pixels = 0;
      for (int y = 40; y < picture.height() - 30; ++y)
        for (int x = 0; x < picture.width(); ++x)
          pixels += picture.pixelColor(x, y) == theme().series(1) ? 1 : 0;
      return pixels;
    };
    content.lines[0].values.add(20, 100);
    content.lines[0].values.addGap(21);
    QVERIFY(drawn() > 4);
  }

  void theAxesOfAChartHaveRoundTicks() {
    RecordedRun recorded;
    recorded.run.finish({});
    for (const int width : {200, 500, 1200}) {
      Shown shown(recorded.run);
      shown.panel.resize(width, 260);
      QCoreApplication::processEvents();
      for (const PlotAxis& axis : {shown.chart().valueAxis(), shown.chart().timeAxis()}) {
        QVERIFY(axis.ticks.size() >= 2);
        for (const double tick : axis.ticks) {
          QVERIFY(std::abs(tick / axis.step - std::round(tick / axis.step)) < 1e-6);
          QVERIFY2(!axis.word(tick).startsWith("0.0") || tick != 0, qPrintable(axis.word(tick)));
        }
      }
    }
  }

  void aCompletedRunFillsItsChart() {
    RecordedRun recorded;
    Shown live(recorded.run);
    QCOMPARE(live.chart().timeAxis().low, -60.0);
    QCOMPARE(live.chart().timeAxis().high, 0.0);
    recorded.run.finish({});
    Shown shown(recorded.run);
    QCOMPARE(shown.chart().view().from, recorded.run.began());
    QCOMPARE(shown.chart().timeAxis().low, 0.0);
    const double first = recorded.run.windowRates().points().front().time;
    QVERIFY2(shown.chart().xAt(first) < 140, "the data begins at the left");
  }

  void theWheelZoomsEveryChartAndADoubleClickShowsAll() {
    RecordedRun recorded;
    recorded.run.finish({});
    Shown shown(recorded.run);
    TimeChart other(shown.link);
    other.show(throughputOf(recorded.run));
    const TimeSpan whole = shown.chart().view();
    const auto turn = [&](int angle, Qt::KeyboardModifiers keys) {
      const QPointF at = shown.at(3);
      QWheelEvent wheel(at, shown.surface()->mapToGlobal(at), {}, {0, angle}, Qt::NoButton, keys,
                        Qt::NoScrollPhase, false);
      QApplication::sendEvent(shown.surface(), &wheel);
    };
    const double under = shown.chart().timeAt(shown.at(3).x());
    turn(240, {});
    const TimeSpan zoomed = shown.chart().view();
    QVERIFY(zoomed.to - zoomed.from < 0.7 * (whole.to - whole.from));
    QVERIFY(under > zoomed.from && under < zoomed.to);
    QCOMPARE(other.view(), zoomed);
    turn(120, Qt::ShiftModifier);
    QVERIFY(shown.chart().view().from < zoomed.from);
    for (int i = 0; i < 50; ++i) turn(120, {});
    QVERIFY2(shown.chart().view().to - shown.chart().view().from >= 1.5, "a least part");
    for (int i = 0; i < 50; ++i) turn(-120, {});
    QCOMPARE(shown.chart().view(), whole);
    turn(120, {});
    QTest::mouseDClick(shown.surface(), Qt::LeftButton, {}, shown.at(3));
    QCOMPARE(shown.chart().view(), whole);
    QVERIFY(!shown.link.range());
  }

  void aChartWithoutValuesIsASentence() {
    const LiveRun none;
    Shown shown(none);
    QVERIFY(shown.chart().isHidden());
    QCOMPARE(shown.panel.footer(), QString("The rate appears here during a run."));
    RecordedRun recorded;
    Shown full(recorded.run);
    QVERIFY(!full.chart().isHidden());
  }

  void timeByNodeMarksTheLimitNotTheLongestBar() {
    RecordedRun recorded;
    recorded.run.finish({});
    NodeTimePanel panel;
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    const auto& bars = panel.bars();
    QVERIFY(!bars[0].limits && bars[1].limits && bars[1].keepsUp);
    QVERIFY2(plain(panel.words()).contains("one thread has") &&
                 plain(panel.words()).contains("Emulated step takes 3."),
             qPrintable(panel.words()));
  }

  /// Without workers and queue the thread is the consumer's, but its work is that of all nodes.
  void timeByNodeDoesNotBlameTheConsumerForItsThread() {
    RecordedRun recorded({}, [](QByteArray line) {
      if (!line.contains("\"event\":\"plan\"")) return line;
      QJsonObject plan = QJsonDocument::fromJson(line).object();
      QJsonObject stage = plan["stages"].toArray().last().toObject();
      QJsonArray all = plan["stages"].toArray().first().toObject()["nodes"].toArray();
      for (const QJsonValue& node : stage["nodes"].toArray()) all << node;
      stage["nodes"] = all;
      plan["stages"] = QJsonArray{stage};
      plan["queues"] = QJsonArray();
      return QJsonDocument(plan).toJson(QJsonDocument::Compact);
    });
    recorded.run.finish({});
    NodeTimePanel panel;
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    QCOMPARE(panel.bars().size(), std::size_t{1});
    QCOMPARE(panel.bars()[0].title, QString("All nodes"));
    QVERIFY2(plain(panel.words()).contains("; all nodes take "), qPrintable(panel.words()));
  }

  void timesByNodeAreAllInTheUnitOfTheTitle() {
    const auto shown = [](double ms) { return plain(NodeTimePanel::bareMs(ms)); };
    QCOMPARE(shown(0.00002), QString("< 0.01"));
    QCOMPARE(shown(0.057), QString("0.06"));
    QCOMPARE(shown(1.86), QString("1.86"));
    QCOMPARE(shown(0), QString("0.00"));
  }

  /// The chart, the node's chip and the result have one source: the engine's integral of the fill.
  void theChartOfAQueueAgreesWithItsFigures() {
    double filled = 0;
    double before = 0;
    RecordedRun recorded({}, [&](QByteArray line) {
      if (!line.contains("\"event\":\"snapshot\"")) return line;
      QJsonObject snapshot = QJsonDocument::fromJson(line).object();
      QJsonArray queues = snapshot["queues"].toArray();
      QJsonObject queue = queues[0].toObject();
      const double seconds = queue["seconds"].toDouble();
      if (seconds < before) filled = before = 0;
      filled += 0.5 * (seconds - before);
      before = seconds;
      queue["fill_seconds"] = filled;  // A quarter full, although each snapshot finds it full.
      queues[0] = queue;
      snapshot["queues"] = queues;
      return QJsonDocument(snapshot).toJson(QJsonDocument::Compact);
    });
    QVERIFY(std::abs(recorded.run.latest().queue("prefetch")->meanFill - 0.5) < 1e-9);
    for (const TimeSeries::Point& point : recorded.run.queueFill().at(0).points())
      QVERIFY(std::isnan(point.value) || std::abs(point.value - 25) < 1e-9);
  }

  void roundingErrorsAreNoFigures() {
    SeriesSummary summary{9, 100.0, 100.0, 100.0, 4.3e-14};
    QCOMPARE(plain(summaryText(summary, "%")),
             QString("n 9 · mean 100 · median 100 · p95 100 · σ 0 %"));
  }

  void repeatsAreMarkedWhereTheyBegin() {
    RecordedRun recorded;
    recorded.run.finish({});
    const ChartContent content = throughputOf(recorded.run);
    QCOMPARE(content.marks.size(), std::size_t{1});
    QCOMPARE(content.marks[0].text, QString("repeat 2"));
    QCOMPARE(content.marks[0].time, recorded.run.warmups().at(1).from);
    Shown shown(recorded.run);
    const QImage marked = shown.chart().grab().toImage();
    ChartContent bare = content;
    bare.marks.clear();
    shown.chart().show(bare);
    QVERIFY(shown.chart().grab().toImage() != marked);
  }

  void smoothingAddsAMovingAverageToEveryChart() {
    RecordedRun recorded;
    recorded.run.finish({});
    Shown rate(recorded.run);
    ChartPanel queue("Queue fill", queueFillOf, rate.link);
    QVERIFY(!rate.panel.smoothAction()->isChecked());
    const QString footer = rate.panel.footer();
    queue.smoothAction()->setChecked(true);
    QVERIFY(rate.panel.smoothAction()->isChecked());
    const auto& lines = rate.chart().content().lines;
    QCOMPARE(lines.size(), 3U);
    QVERIFY(lines[0].quiet && lines[0].width == 1);
    QCOMPARE(plain(lines[1].name), QString("5 s mean"));
    QCOMPARE(lines[2].name, QString("median so far"));
    QVERIFY2(rate.panel.footer() == footer, "the figures are of the values");
    rate.panel.smoothAction()->setChecked(false);
    QCOMPARE(rate.chart().content().lines.size(), 2U);
  }

  void aLegendThatDoesNotFitOnOneLineHasAnother() {
    RecordedRun recorded;
    recorded.run.finish({});
    Shown rate(recorded.run);
    TimeChart& chart = rate.chart();
    const auto plotTop = [&] { return chart.chart()->plotArea().top(); };
    rate.panel.resize(900, 320);
    QCoreApplication::processEvents();
    QCOMPARE(chart.legendPlaces().size(), chart.legendNames().size());
    QCOMPARE(chart.legendPlaces().last().y(), 0.0);
    const double usual = plotTop();
    rate.panel.resize(300, 320);
    QCoreApplication::processEvents();
    QCOMPARE(chart.legendPlaces().size(), chart.legendNames().size());
    QVERIFY(chart.legendPlaces().last().y() > 0);
    QCOMPARE(plotTop(), usual + chart.legendPlaces().last().y());
    // More lines take effect without a change of size.
    rate.panel.smoothAction()->setChecked(true);
    QCOMPARE(chart.legendPlaces().size(), chart.legendNames().size());
    QCOMPARE(plotTop(), usual + chart.legendPlaces().last().y());
    rate.panel.smoothAction()->setChecked(false);
  }

  void queueFillIsInPercentOfTheCapacity() {
    RecordedRun recorded;
    const ChartContent content = queueFillOf(recorded.run);
    QCOMPARE(content.lines.size(), 1U);
    QCOMPARE(content.lines[0].name, QString("after Prefetch"));
    // 2, 2, 1 and 2 of 2 in the last second, by an engine that tells the fill at a snapshot only.
    QVERIFY(std::abs(content.lines[0].values.points().back().value - 90) < 4);
    QCOMPARE(*content.top, 100.0);
  }

  void chartsFollowTheTheme() {
    RecordedRun recorded;
    Shown shown(recorded.run);
    const auto corner = [&] { return shown.panel.grab().toImage().pixelColor(3, 60); };
    QCOMPARE(corner(), Theme::light()[Tone::Base]);
    applyTheme(Appearance::Dark);
    QCoreApplication::processEvents();
    const QColor dark = corner();
    applyTheme(Appearance::Light);
    QCOMPARE(dark, Theme::dark()[Tone::Base]);
  }

  void anUnusualEndIsExplainedWithTheEnginesLastOutput() {
    RecordedRun recorded;
    AdvicePanel advice;
    advice.setVisible(true);
    recorded.run.finish(
        {ChildEnd::Kind::Failed, "The run ended: memory was full.", {}, "one\n<two>"});
    advice.refresh(recorded.run, {});
    QVERIFY2(
        advice.endText().contains("memory was full") && advice.endText().contains("&lt;two&gt;"),
        qPrintable(advice.endText()));
  }

  void theStripShowsTheProgressOfARun() {
    RecordedRun recorded(RecordedRun::isMeasured);
    RunStrip strip;
    strip.setVisible(true);
    strip.refresh(recorded.run, {});
    QCOMPARE(strip.words(), QString("repeat 1 of 2, measuring 0 of 3 s"));
    QCOMPARE(strip.left(), QString("7 s left"));
    recorded.feedTo({});
    recorded.run.finish({});
    strip.refresh(recorded.run, {});
    QCOMPARE(strip.label(), QString("Run 42 of demo"));
    QCOMPARE(strip.words(), QString("done"));
    QVERIFY(strip.left().isEmpty());
  }

  void theTimeLeftIsRoundedUp() {
    QCOMPARE(timeLeftText(0), QString("0 s left"));
    QCOMPARE(timeLeftText(12.2), QString("13 s left"));
    QCOMPARE(timeLeftText(84), QString("1 min 24 s left"));
    QCOMPARE(timeLeftText(7260), QString("2 h 1 min left"));
  }

  void figuresComeFromTheResultAndUnknownOnesAreADash() {
    RecordedRun warm([](const QByteArray& line) { return line.contains("warm-up"); });
    FiguresPanel panel;
    panel.setVisible(true);
    panel.refresh(warm.run, {});
    QCOMPARE(panel.figures()[0].value, QString("–"));
    RecordedRun whole;
    panel.refresh(whole.run, {});
    QCOMPARE(panel.heading(), QString("Figures of run 42"));
    QCOMPARE(panel.figures()[0].value, QString("261.5"));
    QVERIFY(panel.figures()[1].value.startsWith("9"));
    QCOMPARE(panel.figures()[5].value, QString("0"));
  }

  void timeByNodeHasOneBarPerStage() {
    RecordedRun recorded;
    NodeTimePanel panel;
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    QCOMPARE(panel.bars().size(), 2U);
    QCOMPARE(panel.bars()[0].title, QString("Workers"));
    QCOMPARE(panel.bars()[0].pieces.front().title, QString("Image folder"));
    // A step of 60 ms for 16 samples.
    QVERIFY(std::abs(panel.bars()[1].ms() - 3.75) < 0.2);
    QVERIFY2(plain(panel.words()).contains("samples/s"), qPrintable(panel.words()));
    QVERIFY(csvText(panel.table()).starts_with("stage,node,ms_a_sample\nWorkers,Image folder,"));
  }

  void whatWorksInAStageHasItsName() {
    RecordedRun recorded;
    recorded.run.finish({});
    NodeTimePanel panel;
    panel.setWorkers("process", "processes");
    panel.setVisible(true);
    panel.refresh(recorded.run, {});
    QVERIFY2(plain(panel.words()).contains("one process has"), qPrintable(panel.words()));
  }

  void theLoadOfTheCoresIsSummedUpInASentence() {
    QCOMPARE(plain(loadText({1, 1, 0.1, 0.05}, 0.01)),
             QString("54 % of 4 cores. 2 are full, 2 are idle: there is room for more workers."));
    QCOMPARE(plain(loadText({0.99, 0.95}, std::nullopt)),
             QString("97 % of 2 cores. All are full: there is no room for more workers."));
    QCOMPARE(plain(loadText({0.5, 0.5}, 0.02)), QString("50 % of 2 cores."));
    QCOMPARE(plain(loadText({0.5, 0.5}, 0.25)),
             QString("50 % of 2 cores. Other programs used 25 %, which disturbs these figures."));
    QVERIFY(loadText({}, 0).isEmpty());
  }
};

}  // namespace millrace

using millrace::TestRunViews;
MILLRACE_TEST_CASE(TestRunViews)
#include "tst_run_views.moc"
