// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "widgets/models/live/time_series.h"

#include <cmath>

#include "tests/support/test_case.h"

namespace millrace {

class TestTimeSeries : public QObject {
  Q_OBJECT
 private slots:
  void smoothingIsTheMeanAroundEachValueUpToAGap() {
    TimeSeries series;
    for (int i = 0; i < 6; ++i) series.add(i, i % 2 == 0 ? 0 : 12);
    series.addGap(6);
    series.add(7, 100);
    const TimeSeries smooth = series.smoothed(2);
    const auto& points = smooth.points();
    QCOMPARE(points.size(), std::size_t{8});
    QCOMPARE(points[0].value, 6.0);
    QCOMPARE(points[1].value, 4.0);
    QCOMPARE(points[2].value, 8.0);
    QCOMPARE(points[5].value, 6.0);
    QVERIFY(std::isnan(points[6].value));
    QCOMPARE(points[7].value, 100.0);
    QVERIFY(TimeSeries().smoothed(5).points().empty());
  }

  void itKeepsTheWholeRunWithinABound() {
    TimeSeries series;
    for (int i = 0; i < 1000; ++i) series.add(i * 0.2, i);
    QCOMPARE(series.points().front().time, 0.0);
    for (std::size_t i = 0; i < TimeSeries::kMostKept; ++i)
      series.add(200 + static_cast<double>(i), 1);
    QCOMPARE(series.points().size(), TimeSeries::kMostKept);
    QCOMPARE(series.points().front().time, 200.0);
  }

  void aPartIsDrawnWithItsNeighbours() {
    TimeSeries series;
    for (int i = 0; i <= 10; ++i) series.add(i, i);
    QCOMPARE(series.drawn(3.5, 5.5), (QList<QPointF>{{-2.5, 3}, {-1.5, 4}, {-0.5, 5}, {0.5, 6}}));
  }

  void aChartGetsAtMost300PointsWithoutLosingExtremes() {
    TimeSeries series;
    for (int i = 0; i < 4000; ++i) series.add(i * 0.015, i == 3321 ? 900 : i == 1234 ? -5 : i % 7);
    const QList<QPointF> drawn = series.drawn(0, 59.985);
    QVERIFY2(drawn.size() <= TimeSeries::kMostPoints, qPrintable(QString::number(drawn.size())));
    QVERIFY(drawn.size() > 150);
    const auto value = [](const QPointF& point) { return point.y(); };
    QCOMPARE(std::ranges::max(drawn, {}, value).y(), 900.0);
    QCOMPARE(std::ranges::min(drawn, {}, value).y(), -5.0);
    QVERIFY(std::ranges::is_sorted(drawn, {}, &QPointF::x));
    QVERIFY(std::abs(drawn.back().x()) < 0.7);
  }

  void fewPointsAreDrawnUnchanged() {
    TimeSeries series;
    series.add(10, 1);
    series.add(11, 2);
    QCOMPARE(series.drawn(0, 12), (QList<QPointF>{{-2, 1}, {-1, 2}}));
  }

  void aGapStaysAGapInEveryResolution() {
    TimeSeries series;
    for (int i = 0; i < 3000; ++i) {
      series.add(i * 0.01, 1);
      if (i == 1500) series.addGap(i * 0.01);
    }
    for (const qsizetype most : {TimeSeries::kMostPoints, qsizetype{10000}}) {
      const auto drawn = series.drawn(0, 30, most);
      QCOMPARE(std::ranges::count_if(drawn, [](QPointF p) { return std::isnan(p.y()); }), 1);
    }
    QVERIFY(!series.at(15.0).has_value());
    QCOMPARE(*series.at(20.005), 1.0);
    QVERIFY(!series.at(-1).has_value());
  }

  void twoGapsInARowAreOne() {
    TimeSeries series;
    series.addGap(1);
    series.add(2, 5);
    series.addGap(3);
    series.addGap(4);
    QCOMPARE(series.points().size(), 2U);
  }

  void pointsThatGoBackInTimeAreDropped() {
    TimeSeries series;
    series.add(5, 1);
    series.add(4, 2);
    QCOMPARE(series.points().size(), 1U);
  }

  void aRangeIsSummarised() {
    TimeSeries series;
    for (int i = 1; i <= 20; ++i) series.add(i, i);
    series.addGap(20.5);
    const SeriesSummary summary = series.summary(1, 5);
    QCOMPARE(summary.count, 5U);
    QCOMPARE(*summary.mean, 3.0);
    QCOMPARE(*summary.median, 3.0);
    QCOMPARE(*summary.p95, 4.8);
    QVERIFY(std::abs(*summary.deviation - std::sqrt(2.5)) < 1e-12);
    QCOMPARE(series.summary(100, 200).count, 0U);
    QVERIFY(!series.summary(100, 200).mean);
  }
};

}  // namespace millrace

using millrace::TestTimeSeries;
MILLRACE_TEST_CASE(TestTimeSeries)
#include "tst_time_series.moc"
