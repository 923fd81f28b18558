// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Expected values are SciPy 1.17.1's and NumPy 2.4.6's: stats.t.ppf, stats.t.cdf, stats.t.interval,
// stats.gmean, np.std(ddof=1), np.percentile.
#include "core/analysis/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tests/core/analysis/closeness.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

const std::array kRates = {812.5, 798.25, 820.0, 805.75};
const std::array kDigits = {3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0};

bool agrees(double value, double expected) { return tests::close(value, expected, 1e-12); }

}  // namespace

class TestStatistics : public QObject {
  Q_OBJECT
 private slots:
  void meanAndDeviationAreScipys() {
    QVERIFY(agrees(*mean(kRates), 809.125));
    QVERIFY(agrees(*standardDeviation(kRates), 9.297176990893526));
    QVERIFY(agrees(*geometricMean(kRates), 809.0849370238626));
  }

  void percentilesAreNumpys_data() {
    QTest::addColumn<double>("share");
    QTest::addColumn<double>("expected");
    QTest::newRow("0") << 0.0 << 1.0;
    QTest::newRow("5") << 0.05 << 1.0;
    QTest::newRow("25") << 0.25 << 2.25;
    QTest::newRow("50") << 0.5 << 3.5;
    QTest::newRow("95") << 0.95 << 7.649999999999997;
    QTest::newRow("99") << 0.99 << 8.73;
    QTest::newRow("100") << 1.0 << 9.0;
  }
  void percentilesAreNumpys() {
    QFETCH(double, share);
    QFETCH(double, expected);
    QVERIFY(agrees(*percentile(kDigits, share), expected));
  }

  void studentsQuantilesAreScipys_data() {
    QTest::addColumn<int>("degrees");
    QTest::addColumn<double>("quantile");
    QTest::addColumn<double>("within");
    QTest::newRow("1") << 1 << 12.706204736174694 << 0.6614939453393345;
    QTest::newRow("2") << 2 << 4.302652729749462 << 0.7687665737984288;
    QTest::newRow("3") << 3 << 3.1824463052837078 << 0.8123093584465899;
    QTest::newRow("4") << 4 << 2.7764451051977934 << 0.83564505872995;
    QTest::newRow("5") << 5 << 2.5705818356363146 << 0.850123213151676;
    QTest::newRow("9") << 9 << 2.262157162798205 << 0.8766523378561761;
    QTest::newRow("30") << 30 << 2.0422724563012378 << 0.9005221244114832;
    QTest::newRow("100") << 100 << 1.9839715185235518 << 0.9077606729969807;
  }
  void studentsQuantilesAreScipys() {
    QFETCH(int, degrees);
    QFETCH(double, quantile);
    QFETCH(double, within);
    QVERIFY(agrees(studentCentralQuantile(0.95, degrees), quantile));
    QVERIFY(agrees(studentCentralQuantile(within, degrees), 1.7));
  }

  void theIntervalIsScipys() {
    const auto interval = meanInterval95(kRates);
    QVERIFY(agrees(interval->low, 794.3311167178811));
    QVERIFY(agrees(interval->high, 823.9188832821189));
  }

  void tooFewValuesGiveNoFigure() {
    const std::vector<double> none;
    const std::array one = {4.0};
    const std::array two = {4.0, 5.0};
    QVERIFY(!mean(none) && !median(none) && !geometricMean(none));
    QVERIFY(!standardDeviation(one));
    QVERIFY(!meanInterval95(two));
    QVERIFY(!geometricInterval95(two));
    QCOMPARE(*median(one), 4.0);
    QCOMPARE(*percentile(one, 0.95), 4.0);
  }

  void aRateOfZeroHasNoGeometricMean() {
    const std::array rates = {3.0, 0.0};
    QVERIFY(!geometricMean(rates));
  }

  void theTestOfAMeanIsScipys() {
    const auto test = testMean(std::array{0.03, -0.01, 0.02, 0.015});
    QVERIFY(agrees(test->mean, 0.01375));
    QVERIFY(agrees(test->standardError, 0.008508574106942557));
    QVERIFY(agrees(test->p, 0.20450832340955685));
    QVERIFY(agrees(test->interval95.low, -0.013328080229871964));
    QVERIFY(agrees(test->interval95.high, 0.04082808022987196));
    QCOMPARE(test->degrees, 3);
    QVERIFY(!testMean(std::array{0.03}));
  }

  /// 1 - nct.cdf(c, degrees, shift) + nct.cdf(-c, degrees, shift); the two far limits by mpmath's
  /// quad over the chi distribution.
  void powersAreScipys_data() {
    QTest::addColumn<double>("shift");
    QTest::addColumn<double>("critical");
    QTest::addColumn<int>("degrees");
    QTest::addColumn<double>("power");
    QTest::newRow("1") << 3.0 << 2.5 << 1 << 0.7350359854199116;
    QTest::newRow("4") << 5.0 << 4.0 << 4 << 0.7724009302985421;
    QTest::newRow("4, more") << 6.5 << 3.9 << 4 << 0.9498269782840092;
    QTest::newRow("9") << 3.5 << 2.8 << 9 << 0.7437188872399274;
    QTest::newRow("100") << 1.0 << 2.0 << 100 << 0.1637658062779005;
    QTest::newRow("1, far") << 3.0 << 42.4334 << 1 << 0.0563614553606337708;
    QTest::newRow("2, far") << 3.0 << 8.0728 << 2 << 0.138518678979559082;
    QTest::newRow("no shift") << 0.0 << 2.7764451051977934 << 4 << 0.05;
  }
  void powersAreScipys() {
    QFETCH(double, shift);
    QFETCH(double, critical);
    QFETCH(int, degrees);
    QFETCH(double, power);
    const double found = testPower(shift, critical, degrees);
    QVERIFY2(std::abs(found - power) < 1e-12, qPrintable(QString::number(found, 'g', 15)));
    if (shift > 0) QVERIFY(std::abs(detectableShift(critical, degrees, found) - shift) < 1e-6);
  }

  void equalRepeatsGiveAnIntervalWithoutWidth() {
    const std::array rates = {7.0, 7.0, 7.0};
    QCOMPARE(meanInterval95(rates)->low, 7.0);
    QCOMPARE(meanInterval95(rates)->high, 7.0);
  }
};

}  // namespace millrace

using millrace::TestStatistics;
MILLRACE_TEST_CASE(TestStatistics)
#include "tst_statistics.moc"
