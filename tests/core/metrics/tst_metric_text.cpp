// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/metrics/metric_text.h"

#include <cmath>

#include "core/base/random.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// The number that a reader sees, without its unit and the spaces between thousands.
double readNumber(const std::string& text) {
  QString digits;
  for (const QChar c : QString::fromStdString(text))
    if (c.isDigit() || c == '.' || c == '-' || c == '+' || c == 'e') digits += c;
  return digits.toDouble();
}

}  // namespace

class TestMetricText : public QObject {
  Q_OBJECT
 private slots:
  void numbersHaveFourSignificantDigits() {
    QCOMPARE(roundedText(641.63), std::string("641.6"));
    QCOMPARE(roundedText(99.96), std::string("99.96"));
    QCOMPARE(roundedText(999.97), std::string("1 000"));
    QCOMPARE(roundedText(12345.6), std::string("12 346"));
    QCOMPARE(roundedText(0.0123456), std::string("0.01235"));
    QCOMPARE(roundedText(0), std::string("0"));
  }

  void aChangeIsThatOfTheShownNumbers() {
    const MetricSpec& rate = *findMetric("samples_per_second");
    // 100.04 and 100.06 are shown as 100 and 100.1.
    QCOMPARE(metricChange(rate, 100.04, 100.06), std::string("+0.1 %"));
    QCOMPARE(metricChange(rate, 642, 684), std::string("+6.5 %"));
    QCOMPARE(metricChange(*findMetric("peak_rss_bytes"), 612.4e6, 650.4e6), std::string("+6.2 %"));
    QCOMPARE(metricChange(*findMetric("step_share"), 0.1234, 0.2), std::string("+7.7 pp"));
    QVERIFY(metricChange(rate, 0, 5).empty());
    QVERIFY(!shownRatio(0, 5) && !shownRatio(5, NAN));
  }

  /// Over all sizes of rates: what a reader computes from the two numbers is what is written.
  void everyShownRatioIsTheRatioOfTheShownNumbers() {
    const MetricSpec& rate = *findMetric("samples_per_second");
    for (std::uint32_t i = 0; i < 5000; ++i) {
      Draw draw(DrawKey{1, 0, i, 0, 0});
      const double before = std::pow(10.0, draw.uniform(-1, 5));
      const double after = before * std::exp(0.3 * draw.normal());
      const double shown = readNumber(roundedText(after)) / readNumber(roundedText(before));
      QVERIFY(std::abs(*shownRatio(before, after) - shown) < 1e-12);
      const double percent = readNumber(metricChange(rate, before, after));
      const double half = std::abs(percent) < 99.95 ? 0.05 : 0.5;
      QVERIFY2(std::abs(percent - 100 * (shown - 1)) < half + 1e-9,
               qPrintable(QString("%1 %2 %3").arg(before).arg(after).arg(percent)));
    }
  }
};

}  // namespace millrace

using millrace::TestMetricText;
MILLRACE_TEST_CASE(TestMetricText)
#include "tst_metric_text.moc"
