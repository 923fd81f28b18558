// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/histogram.h"
#include "core/metrics/histogram_quantile.h"

#include <cmath>

#include "tests/support/test_case.h"

namespace millrace {

class TestHistogram : public QObject {
  Q_OBJECT
 private slots:
  void everyBucketBeginsWhereTheOneBeforeEnds() {
    for (std::size_t b = 0; b + 1 < Histogram::kBuckets; ++b) {
      QCOMPARE(Histogram::bucketOf(Histogram::lowerEdge(b)), b);
      QCOMPARE(Histogram::bucketOf(Histogram::lowerEdge(b + 1) - 1), b);
    }
  }

  void quantilesLieWithinABucketsWidth() {
    Histogram histogram;
    for (std::uint64_t ns = 1; ns <= 100000; ++ns) ++histogram.counts[Histogram::bucketOf(ns)];
    QVERIFY(std::abs(histogram.quantile(0.5) / 50000 - 1) < 0.02);
    QVERIFY(std::abs(histogram.quantile(0.95) / 95000 - 1) < 0.02);
  }

  void anEmptyOneHasNoQuantile() {
    QCOMPARE(Histogram{}.quantile(0.5), 0.0);
    QCOMPARE(quantileMs({}, 0.5, 1), 0.0);
  }

  /// 800 ms lie near the end of a bucket, 672 ms near the begin of the same one.
  void quantilesOfEqualTimesAreNextToTheirMean() {
    for (const double ms : {800.0, 672.0, 738.0, 0.003}) {
      Histogram times;
      times.counts[Histogram::bucketOf(static_cast<std::uint64_t>(1e6 * ms))] = 20;
      QVERIFY(std::abs(quantileMs(times, 0.5, ms) / ms - 1) < 1e-9);
      QVERIFY(quantileMs(times, 0.95, ms) >= ms);
      QVERIFY(quantileMs(times, 0.95, ms) <= 1.09 * ms);
    }
    Histogram times;
    times.counts[Histogram::bucketOf(800'000'000)] = 20;
    QVERIFY(quantileMs(times, 0.95, 800) < 806);
  }

  void aMeanInTheMiddleOfTheBucketsChangesNothing() {
    Histogram times;
    double sum = 0;
    for (std::uint64_t ns = 1; ns <= 100000; ++ns) {
      ++times.counts[Histogram::bucketOf(ns)];
      sum += static_cast<double>(ns);
    }
    for (const double p : {0.05, 0.5, 0.95})
      QVERIFY(std::abs(1e6 * quantileMs(times, p, 1e-6 * sum / 100000) / (1e5 * p) - 1) < 0.02);
  }

  /// With a few very long times most of the others are below the mean.
  void aLongTailKeepsItsQuantile() {
    Histogram times;
    times.counts[Histogram::bucketOf(1'000'000)] = 98;
    times.counts[Histogram::bucketOf(900'000'000)] = 2;
    const double p95 = quantileMs(times, 0.95, (98 * 1.0 + 2 * 900.0) / 100);
    QVERIFY(p95 > 0.9 && p95 < 1.1);
  }
};

}  // namespace millrace

using millrace::TestHistogram;
MILLRACE_TEST_CASE(TestHistogram)
#include "tst_histogram.moc"
