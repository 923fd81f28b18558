// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/stage_worker.h"

#include "tests/core/run/run_support.h"
#include "tests/core/run/stage_parts.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// What an executor passes to its workers, without threads: the tests call `step` themselves.
struct Bench : tests::StageParts {
  Bench(const std::string& chain, const OrderLimits& limits, FailureLimit failureLimit = {})
      : StageParts(chain, failureLimit),
        sampler(IndexSampler::make(plan, limits, false).take()),
        ring(makeRing(0)) {}

  std::unique_ptr<BatchRing> makeRing(std::size_t stage) const {
    std::vector<std::unique_ptr<BatchSlot>> made;
    for (int i = 0; i < 2; ++i)
      made.push_back(std::make_unique<BatchSlot>(plan.stages[stage],
                                                 static_cast<std::size_t>(plan.batch.size)));
    return std::make_unique<BatchRing>(std::move(made), 1, 0, steadyClock());
  }
  std::unique_ptr<SamplePipeline> rows() {
    return SamplePipeline::make(parts, plan.stages[0].segments[0], 0, true, counters).take();
  }
  std::unique_ptr<SegmentRunner> segments(std::size_t stage = 0) {
    return SegmentRunner::make(parts, plan.stages[stage], stage == 0, counters).take();
  }
  std::unique_ptr<StageWorker> sampleWorker(DeliveryOrder order = DeliveryOrder::Strict) {
    return makeSampleWorker(parts, order, *sampler, *ring, rows(), segments());
  }
  std::unique_ptr<StageWorker> batchWorker() {
    return makeBatchWorker(parts, *sampler, *ring, rows(), segments());
  }
  /// Takes the next batch, which must be ready, and releases its slot.
  std::size_t takeRows() {
    const auto taken = ring->take(steadyClock().now());
    if (!taken) return 0;
    const std::size_t rows = taken->slot->result().rows;
    ring->release(*taken->slot);
    return rows;
  }

  std::unique_ptr<IndexSampler> sampler;
  std::unique_ptr<BatchRing> ring;
};

const char* const kChain =
    "synthetic {\"count\": 5}\nworkers\nbatch {\"size\": 2}\nprefetch\ndrain";

/// Steps until the result is something other than Ready.
StepResult stepWhileReady(StageWorker& worker) {
  for (int i = 0; i < 1000; ++i)
    if (const StepResult result = worker.guardedStep(); result != StepResult::Ready) return result;
  return StepResult::Ready;
}

}  // namespace

class TestStageWorker : public QObject {
  Q_OBJECT
 private slots:
  void aSampleWorkerFillsTheSlotsThenWaitsThenFinishes() {
    for (const DeliveryOrder order : {DeliveryOrder::Strict, DeliveryOrder::Ready}) {
      Bench bench(kChain, {0, 0, std::nullopt, 1});
      const auto worker = bench.sampleWorker(order);
      QVERIFY(stepWhileReady(*worker) == StepResult::WaitsForOutput);
      QVERIFY(worker->guardedStep() == StepResult::WaitsForOutput);
      QCOMPARE(bench.takeRows(), std::size_t{2});
      QVERIFY(stepWhileReady(*worker) == StepResult::Finished);
      QCOMPARE(bench.takeRows(), std::size_t{2});
      QCOMPARE(bench.takeRows(), std::size_t{1});
      QVERIFY(bench.ring->drained());
      QVERIFY(worker->guardedStep() == StepResult::Finished);
    }
  }

  void aBatchWorkerMakesABatchAStep() {
    Bench bench(kChain, {0, 0, std::nullopt, 1});
    const auto worker = bench.batchWorker();
    QVERIFY(worker->guardedStep() == StepResult::Ready);
    QVERIFY(worker->guardedStep() == StepResult::Ready);
    QVERIFY(worker->guardedStep() == StepResult::WaitsForOutput);
    QCOMPARE(bench.takeRows(), std::size_t{2});
    QVERIFY(worker->guardedStep() == StepResult::Ready);
    QVERIFY(worker->guardedStep() == StepResult::Finished);
    QVERIFY(!bench.ring->drained());
    QCOMPARE(bench.takeRows() + bench.takeRows(), std::size_t{3});
    QVERIFY(bench.ring->drained());
  }

  void twoWorkersCompleteABatchTogether() {
    Bench bench("synthetic {\"count\": 4}\nworkers\nbatch {\"size\": 2}\nprefetch\ndrain",
                {0, 0, std::nullopt, 1});
    const auto first = bench.sampleWorker();
    const auto second = bench.sampleWorker();
    QVERIFY(first->guardedStep() == StepResult::Ready);
    QCOMPARE(bench.takeRows(), std::size_t{0});
    QVERIFY(second->guardedStep() == StepResult::Ready);
    QCOMPARE(bench.takeRows(), std::size_t{2});
  }

  void aUsedUpBudgetFailsTheStep() {
    FailureLimit none;
    none.count = 0;
    Bench bench(
        "synthetic {\"count\": 5}\nworkers\nbroken {\"samples\": [1]}\n"
        "batch {\"size\": 2}\nprefetch\ndrain",
        {}, none);
    for (const auto& worker : {bench.sampleWorker(), bench.batchWorker()}) {
      if (stepWhileReady(*worker) != StepResult::Failed) continue;
      QVERIFY(worker->error().message.find("synthetic#1: broken: made to fail") !=
              std::string::npos);
      return;
    }
    QFAIL("no worker failed");
  }

  void lackOfMemoryIsAFailure() {
    Bench bench(
        "synthetic {\"count\": 5}\nworkers\nbroken {\"samples\": [0], \"throws\": true}\n"
        "batch {\"size\": 2}\nprefetch\ndrain",
        {});
    const auto worker = bench.sampleWorker();
    QVERIFY(stepWhileReady(*worker) == StepResult::Failed);
    QVERIFY(worker->error().message.find("there is not enough memory; reduce batch.size") !=
            std::string::npos);
  }

  void aCancelledRingFinishesAWorkerThatHoldsASample() {
    Bench bench(kChain, {});
    const auto worker = bench.sampleWorker(DeliveryOrder::Ready);
    QVERIFY(stepWhileReady(*worker) == StepResult::WaitsForOutput);
    bench.ring->cancel();
    worker->waitForOutput();
    QVERIFY(worker->guardedStep() == StepResult::Finished);
  }

  void aDroppedBatchIsNotFinished() {
    Bench bench(kChain, {});
    const auto worker = bench.batchWorker();
    bench.stop.drop();
    QVERIFY(worker->guardedStep() == StepResult::Finished);
    QCOMPARE(bench.takeRows(), std::size_t{0});
  }

  void aLaterWorkerTakesPutsAndCloses() {
    Bench bench(
        "synthetic {\"count\": 6}\nbatch {\"size\": 2}\nprefetch\nworkers\ntint\n"
        "prefetch\ndrain",
        {0, 0, std::nullopt, 1});
    const auto before = bench.batchWorker();
    const auto out = bench.makeRing(1);
    const auto worker = makeLaterWorker(*bench.ring, *out, bench.segments(1));
    QVERIFY(stepWhileReady(*before) == StepResult::WaitsForOutput);
    QVERIFY(worker->guardedStep() == StepResult::Ready);
    QVERIFY(stepWhileReady(*before) == StepResult::Finished);
    QVERIFY(worker->guardedStep() == StepResult::Ready);
    QVERIFY(worker->guardedStep() == StepResult::WaitsForOutput);
    const auto taken = out->take();
    QCOMPARE(taken.value().sequence, 0U);
    out->release(*taken->slot);
    QVERIFY(worker->guardedStep() == StepResult::Ready);
    QVERIFY(worker->guardedStep() == StepResult::Finished);
    QCOMPARE(out->end(), 3U);
  }
};

}  // namespace millrace

using millrace::TestStageWorker;
MILLRACE_TEST_CASE(TestStageWorker)
#include "tst_stage_worker.moc"
