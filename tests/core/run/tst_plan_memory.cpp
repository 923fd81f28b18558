// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/plan_memory.h"

#include "core/run/executor.h"
#include "core/run/thrown_error.h"
#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;

namespace {

/// A batch has 1 000 rows of 48 bytes, 48 kB. There are slots for two waiting batches, one being
/// written and one with the consumer.
Result<Plan> planOfBatch(const std::string& size) {
  return planOf(
      "synthetic {\"content\": \"image\", \"height\": 4, \"width\": 4}\nworkers {}\nbatch "
      "{\"size\": " +
      size + "}\nprefetch {\"batches\": 2}\ndrain {}");
}

}  // namespace

class TestPlanMemory : public QObject {
  Q_OBJECT

 private slots:
  void batchesThatFitAreNoError() {
    const auto plan = planOfBatch("1000");
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message.c_str());
    const std::uint64_t bytes = slotBytesOf(*plan);
    QVERIFY(bytes >= 4 * 48000);
    QVERIFY(!lackOfSlotMemory(*plan, bytes));
    QVERIFY(!lackOfSlotMemory(*plan, std::nullopt));
  }

  void batchesThatDoNotFitSayWhatTheyTakeAndWhatIsFree() {
    const auto plan = planOfBatch("1000");
    QVERIFY(plan.ok());
    const auto lack = lackOfSlotMemory(*plan, slotBytesOf(*plan) - 1);
    QVERIFY(lack.has_value());
    QCOMPARE(lack->node, std::string("prefetch"));
    const QString message = QString::fromStdString(lack->message);
    QVERIFY2(message.startsWith("4 batches of "), qPrintable(message));
    QVERIFY(message.contains("are free"));
    QCOMPARE(lack->remedy, std::string("reduce batch.size or prefetch.batches"));
  }

  void moreBytesThanANumberHoldsAreStillTooMany() {
    PlanQueue queue;
    queue.batchBytes = std::size_t{1} << 54U;
    queue.slotCount = 1026;
    QCOMPARE(slotBytesOf(queue), UINT64_MAX);
    Plan plan;
    plan.queues = {queue, queue};
    QCOMPARE(slotBytesOf(plan), UINT64_MAX);
  }

  void aRunWithoutRoomIsRefusedBeforeItTakesAny() {
    const auto plan = planOf(
        "synthetic {\"content\": \"image\", \"height\": 4096, \"width\": 4096}\nworkers {}\n"
        "batch {\"size\": 60000}\ndrain {}");
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message.c_str());
    const CacheSet caches;
    const auto executor = Executor::make(*plan, caches, {});
    QVERIFY(!executor.ok());
    QVERIFY(QString::fromStdString(executor.error().message).contains("of memory are free"));
  }

  void whatALibraryThrowsIsQuoted() {
    QCOMPARE(errorOf(std::runtime_error("odd")).message,
             std::string("a library threw an exception: odd"));
    QVERIFY(errorOf(std::bad_alloc()).message.starts_with("there is not enough memory;"));
  }
};

}  // namespace millrace

using millrace::TestPlanMemory;
MILLRACE_TEST_CASE(TestPlanMemory)
#include "tst_plan_memory.moc"
