// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/histogram.h"

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

  void anEmptyOneHasNoQuantile() { QCOMPARE(Histogram{}.quantile(0.5), 0.0); }
};

}  // namespace millrace

using millrace::TestHistogram;
MILLRACE_TEST_CASE(TestHistogram)
#include "tst_histogram.moc"
