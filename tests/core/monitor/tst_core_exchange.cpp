// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/core_exchange.h"

#include <chrono>

#include "core/monitor/core_limit.h"
#include "core/monitor/machine_watch.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestCoreExchange : public QObject {
  Q_OBJECT
 private slots:
  void itTakesSomethingAndTheLeastIsUsual() {
    const auto seconds = coreExchangeSeconds();
    if (!seconds) QSKIP("one core, or two that are too busy to meet");
    QVERIFY(*seconds > 1e-9);
    const auto usual = usualCoreExchange();
    QVERIFY(usual && *usual <= *seconds);
    noteCoreExchange(2 * *usual);
    QCOMPARE(usualCoreExchange(), usual);
    noteCoreExchange(*usual / 2);
    QCOMPARE(usualCoreExchange(), std::optional<double>(*usual / 2));
  }

  void itsChangeIsTheShareOfTheRateThatIsLost() {
    QVERIFY(qFuzzyCompare(coreExchangeChange(4e-7, 1e-7), 0.75));
    QCOMPARE(coreExchangeChange(1e-7, 1e-7), 0.0);
    QCOMPARE(coreExchangeChange(5e-8, 1e-7), 0.0);
  }

  void theSlowerMomentCounts() {
    MachineState near;
    near.exchangeSeconds = 1e-7;
    MachineState far;
    far.exchangeSeconds = 4e-7;
    near.usualExchangeSeconds = far.usualExchangeSeconds = 1e-7;
    for (const MachineChange& change : {changeBetween(near, far), changeBetween(far, near)})
      QVERIFY(change.coreExchangeChange && qFuzzyCompare(*change.coreExchangeChange, 0.75));
    QVERIFY(!changeBetween(near, {}).coreExchangeChange);
  }

  void aWaitEndsWithItsStop() {
    if (!coreExchangeSeconds()) QSKIP("one core, or two that are too busy to meet");
    noteCoreExchange(1e-12);  // no core is as fast
    int asked = 0;
    int told = 0;
    awaitUsualCoreExchange([&] { return ++asked > 2; }, [&] { ++told; });
    // Cores that do not meet cannot be waited for.
    if (asked < 3) QSKIP("two cores that are too busy to meet");
    QCOMPARE(asked, 3);
    QCOMPARE(told, 1);
  }
};

}  // namespace millrace

using millrace::TestCoreExchange;
MILLRACE_TEST_CASE(TestCoreExchange)
#include "tst_core_exchange.moc"
