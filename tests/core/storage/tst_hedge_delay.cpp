// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/storage/hedge_delay.h"

#include "tests/support/test_case.h"

namespace millrace {

using std::chrono::milliseconds;

class TestHedgeDelay : public QObject {
  Q_OBJECT
 private slots:
  void isTheSlowestOfAHundred() {
    HedgeDelay hedge;
    for (int i = 0; i < 99; ++i) hedge.add(milliseconds(100 + i));
    QVERIFY(!hedge.delay());
    for (int i = 99; i < 512; ++i) hedge.add(milliseconds(100 + i % 100));
    QVERIFY(hedge.delay().has_value());
    QVERIFY(*hedge.delay() >= milliseconds(197) && *hedge.delay() <= milliseconds(199));
  }

  void followsRecentRequests() {
    HedgeDelay hedge;
    for (int i = 0; i < 1024; ++i) hedge.add(milliseconds(500));
    QCOMPARE(*hedge.delay(), HedgeDelay::Duration(milliseconds(500)));
    for (int i = 0; i < 1024; ++i) hedge.add(milliseconds(50));
    QCOMPARE(*hedge.delay(), HedgeDelay::Duration(milliseconds(50)));
  }

  void isNotShorterThanAnAnswerTakes() {
    HedgeDelay hedge;
    for (int i = 0; i < 1024; ++i) hedge.add(std::chrono::microseconds(200));
    QCOMPARE(*hedge.delay(), HedgeDelay::Duration(milliseconds(20)));
  }

  void oneInFiftyIsTheMost() {
    HedgeDelay hedge;
    int taken = 0;
    for (int i = 0; i < 1000; ++i) {
      hedge.add(milliseconds(1));
      taken += hedge.take() ? 1 : 0;
    }
    QCOMPARE(taken, 20);
  }
};

}  // namespace millrace

using millrace::TestHedgeDelay;
MILLRACE_TEST_CASE(TestHedgeDelay)
#include "tst_hedge_delay.moc"
