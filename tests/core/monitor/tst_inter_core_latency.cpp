// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/monitor/inter_core_latency.h"

#include <chrono>

#include "core/monitor/core_limit.h"
#include "core/monitor/machine_watch.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestInterCoreLatency : public QObject {
  Q_OBJECT
 private slots:
  void itTakesSomethingAndTheLeastIsUsual() {
    const auto seconds = interCoreLatencySeconds();
    if (!seconds) QSKIP("one core, or two that are too busy to meet");
    QVERIFY(*seconds > 1e-9);
    const auto usual = usualInterCoreLatency();
    QVERIFY(usual && *usual <= *seconds);
    noteInterCoreLatency(2 * *usual);
    QCOMPARE(usualInterCoreLatency(), usual);
    noteInterCoreLatency(*usual / 2);
    QCOMPARE(usualInterCoreLatency(), std::optional<double>(*usual / 2));
  }

  void itsChangeIsTheShareOfTheRateThatIsLost() {
    QVERIFY(qFuzzyCompare(interCoreLatencyChange(4e-7, 1e-7), 0.75));
    QCOMPARE(interCoreLatencyChange(1e-7, 1e-7), 0.0);
    QCOMPARE(interCoreLatencyChange(5e-8, 1e-7), 0.0);
  }

  void theSlowerMomentCounts() {
    MachineState near;
    near.exchangeSeconds = 1e-7;
    MachineState far;
    far.exchangeSeconds = 4e-7;
    near.usualExchangeSeconds = far.usualExchangeSeconds = 1e-7;
    for (const MachineChange& change : {changeBetween(near, far), changeBetween(far, near)})
      QVERIFY(change.interCoreLatencyChange && qFuzzyCompare(*change.interCoreLatencyChange, 0.75));
    QVERIFY(!changeBetween(near, {}).interCoreLatencyChange);
  }

  void aWaitEndsWithItsStop() {
    if (!interCoreLatencySeconds()) QSKIP("one core, or two that are too busy to meet");
    noteInterCoreLatency(1e-12);  // faster than any core
    int asked = 0;
    int told = 0;
    awaitUsualInterCoreLatency([&] { return ++asked > 2; }, [&] { ++told; });
    // If the two threads never run at the same time there is nothing to wait for.
    if (asked < 3) QSKIP("two cores that are too busy to meet");
    QCOMPARE(asked, 3);
    QCOMPARE(told, 1);
  }
};

}  // namespace millrace

using millrace::TestInterCoreLatency;
MILLRACE_TEST_CASE(TestInterCoreLatency)
#include "tst_inter_core_latency.moc"
