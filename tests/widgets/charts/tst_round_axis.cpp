// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "widgets/common/round_axis.h"

#include <cmath>

#include "tests/support/test_case.h"

namespace millrace {

namespace {

QStringList words(const PlotAxis& axis) {
  QStringList all;
  for (const double tick : axis.ticks) all << axis.word(tick).replace(QChar(0xA0), ' ');
  return all;
}

}  // namespace

class TestRoundAxis : public QObject {
  Q_OBJECT
 private slots:
  void anAxisEndsAtRoundNumbers() {
    QCOMPARE(words(roundAxis(0, 1.68, 5)), QStringList({"0", "0.5", "1.0", "1.5", "2.0"}));
    QCOMPARE(words(roundAxis(0, 188, 5)), QStringList({"0", "50", "100", "150", "200"}));
    QCOMPARE(words(roundAxis(0, 1875, 5)), QStringList({"0", "500", "1 000", "1 500", "2 000"}));
    QCOMPARE(words(roundAxis(0, 0.0042, 3)), QStringList({"0", "0.0025", "0.0050"}));
    QCOMPARE(words(roundAxis(0, 9, 5)), QStringList({"0", "2.5", "5.0", "7.5", "10.0"}));
  }

  void anExactAxisKeepsItsEndsAndHasRoundTicksWithin() {
    const PlotAxis axis = exactAxis(-60, 0, 5);
    QCOMPARE(axis.low, -60.0);
    QCOMPARE(words(axis), QStringList({"−60", "−40", "−20", "0"}));
    const PlotAxis run = exactAxis(0, 21.3, 5);
    QCOMPARE(run.high, 21.3);
    QCOMPARE(words(run), QStringList({"0", "10", "20"}));
    QCOMPARE(words(exactAxis(3.1, 4.9, 5)), QStringList({"3.5", "4.0", "4.5"}));
  }

  void everyAxisHasATick() {
    for (const double low : {-3.0, 0.0, 1e-9, 7.0, 1e12})
      for (const double span : {0.0, 1e-6, 0.3, 1.0, 77.0, 1e9})
        for (const int most : {2, 3, 6}) {
          const PlotAxis axis = roundAxis(low, low + span, most);
          QVERIFY(axis.ticks.size() >= 2 && axis.high > axis.low);
          QVERIFY(axis.low <= low + 1e-6 * axis.step);
          QVERIFY(axis.high >= low + span - 1e-6 * axis.step);
        }
  }
};

}  // namespace millrace

using millrace::TestRoundAxis;
MILLRACE_TEST_CASE(TestRoundAxis)
#include "tst_round_axis.moc"
