// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/measured_run.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

/// Records the calls; `atBatch` is called for each batch.
class Notes final : public RunObserver {
 public:
  void onPhase(const RunPhase& phase) override { phases.push_back(phase); }
  void onWindow(std::size_t, const RateWindow&) override { ++windows; }
  void onRepeat(std::size_t, const SpanFigures& span) override { repeats.push_back(span); }
  void onFailures(const std::vector<FailedSample>& failed, std::uint64_t) override {
    failures.insert(failures.end(), failed.begin(), failed.end());
  }
  void onTrace(std::size_t, const RunTrace& trace) override { traces.push_back(trace); }
  void onBatch(std::size_t repeat, const Batch& batch) override {
    ++batches;
    if (atBatch) atBatch(repeat, batch);
  }

  std::vector<RunPhase> phases;
  std::vector<SpanFigures> repeats;
  std::vector<FailedSample> failures;
  std::vector<RunTrace> traces;
  int windows = 0;
  int batches = 0;
  std::function<void(std::size_t, const Batch&)> atBatch;
};

}  // namespace

class TestMeasuredRun : public QObject {
  Q_OBJECT

  static Plan plan(const std::string& middle = "", const std::string& end = "drain") {
    return tests::planOf("synthetic {\"count\": 50}\nworkers {\"count\": 2}\n" + middle +
                         "\nbatch {\"size\": 8}\nprefetch\n" + end)
        .take();
  }
  static MeasureSettings quick() {
    MeasureSettings settings;
    settings.warmupSeconds = 0;
    settings.seconds.reset();
    settings.epochs = 2;
    settings.repeats = 1;
    return settings;
  }

 private slots:
  void epochsHaveATimeLeftOnceABatchIsMeasured() {
    /// Holds the run at its fifth batch until a snapshot has come.
    struct Held : RunObserver {
      void onSnapshot(const RunSnapshot& snapshot) override {
        if (snapshot.measuredBatches == 0) return;
        const std::lock_guard lock(mutex);
        if (!seen) seen = snapshot;
        came.notify_all();
      }
      void onBatch(std::size_t, const Batch&) override {
        if (++batches != 5) return;
        std::unique_lock lock(mutex);
        came.wait_for(lock, std::chrono::minutes(1), [this] { return seen.has_value(); });
      }
      std::mutex mutex;
      std::condition_variable came;
      std::optional<RunSnapshot> seen;
      int batches = 0;
    };
    const Plan made = plan();
    const CacheSet caches = CacheSet::make(made).take();
    Held held;
    MeasuredRun run(made, caches, quick(), held);
    VERIFY_OK(run.run());
    QVERIFY(held.seen.has_value());
    QVERIFY(held.seen->measuredBatches <= 4);
    QCOMPARE(held.seen->batchLimit, std::uint64_t{14});
    QVERIFY(held.seen->phase.secondsLeft > 0);
  }

  void eachRepeatWaitsUntilItMayStart() {
    const Plan made = plan();
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    std::vector<int> batchesBefore;
    MeasureSettings settings = quick();
    settings.repeats = 2;
    settings.awaitStart = [&](std::size_t repeat) {
      QCOMPARE(repeat, batchesBefore.size());
      batchesBefore.push_back(notes.batches);
    };
    MeasuredRun run(made, caches, settings, notes);
    VERIFY_OK(run.run());
    QCOMPARE(batchesBefore.size(), std::size_t{2});
    QCOMPARE(batchesBefore[0], 0);
    QCOMPARE(batchesBefore[1], notes.batches / 2);
  }

  void oneThatIsStoppedWhileItWaitsMeasuresNothing() {
    const Plan made = plan();
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasuredRun* running = nullptr;
    MeasureSettings settings = quick();
    settings.awaitStart = [&](std::size_t) { running->stop(); };
    MeasuredRun run(made, caches, settings, notes);
    running = &run;
    const auto result = run.run();
    VERIFY_OK(result);
    QVERIFY(result->outcome == RunOutcome::Interrupted);
    QCOMPARE(notes.batches, 0);
  }

  void withoutWarmupWholeEpochsAreMeasured() {
    const Plan made = plan();
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasureSettings settings = quick();
    settings.repeats = 3;
    const Result<RunResult> result = MeasuredRun(made, caches, settings, notes).run();
    VERIFY_OK(result);
    QVERIFY(result->outcome == RunOutcome::Finished);
    QCOMPARE(result->figures.samples, 300U);
    QCOMPARE(result->figures.batches, 42U);
    QCOMPARE(result->repeats.size(), std::size_t{3});
    QCOMPARE(notes.repeats.size(), std::size_t{3});
    QCOMPARE(notes.batches, 42);
    QVERIFY(!notes.phases.empty() && !notes.phases.front().warmup);
  }

  void aStartInTheMiddleMeasuresTheRestOfTheEpoch() {
    const Plan made = plan();
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasureSettings settings = quick();
    settings.epochs = 1;
    settings.startEpoch = 3;
    settings.startBatch = 5;
    const Result<RunResult> result = MeasuredRun(made, caches, settings, notes).run();
    VERIFY_OK(result);
    QCOMPARE(result->figures.samples, 10U);
  }

  void failedSamplesAreReportedOnceAndCountedPerRun() {
    const Plan made = plan("broken {\"samples\": [3, 9]}");
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasureSettings settings = quick();
    settings.failureLimit.count = 2;
    const Result<RunResult> result = MeasuredRun(made, caches, settings, notes).run();
    VERIFY_OK(result);
    QCOMPARE(result->figures.samples, 96U);
    QCOMPARE(result->figures.failedSamples, 2U);
    QCOMPARE(result->repeats.front().failedSamples, 4U);  // two in each of two epochs
    QCOMPARE(result->failures.size(), std::size_t{2});
    QCOMPARE(notes.failures.size(), std::size_t{2});
  }

  void aTraceHoldsEverySampleOnTheThreadThatMadeIt() {
    const Plan made = plan();
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasureSettings settings = quick();
    settings.traceSpans = 10000;
    VERIFY_OK(MeasuredRun(made, caches, settings, notes).run());
    QCOMPARE(notes.traces.size(), std::size_t{1});
    const RunTrace& trace = notes.traces.front();
    QCOMPARE(trace.threads.size(), std::size_t{3});
    QCOMPARE(trace.threads[0].name, std::string("workers:0"));
    QVERIFY(trace.beginNs > 0 && trace.measuredNs > 0 && trace.endNs > trace.measuredNs);
    std::size_t reads = 0;
    std::size_t steps = 0;
    std::size_t arrivals = 0;
    for (const RunTrace::Thread& thread : trace.threads) {
      QCOMPARE(thread.dropped, 0U);
      std::uint64_t last = trace.beginNs;
      for (const TraceSpan& span : thread.spans) {
        QVERIFY(span.beginNs >= last && span.endNs >= span.beginNs);
        last = span.endNs;
        arrivals += span.kind == TraceSpan::Kind::WaitForBatch ? 1 : 0;
        if (span.kind != TraceSpan::Kind::Node) continue;
        reads += span.node == made.source ? 1 : 0;
        steps += span.node == made.consumer ? 1 : 0;
      }
    }
    QCOMPARE(reads, std::size_t{100});
    QCOMPARE(arrivals, std::size_t{14});
    QCOMPARE(steps, std::size_t{13});  // the last arrival ends the span
  }

  void aTraceThatIsFullCountsWhatItLeavesOut() {
    const Plan made = plan();
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasureSettings settings = quick();
    settings.traceSpans = 5;
    VERIFY_OK(MeasuredRun(made, caches, settings, notes).run());
    std::uint64_t dropped = 0;
    for (const RunTrace::Thread& thread : notes.traces.front().threads) {
      QVERIFY(thread.spans.size() <= 5);
      dropped += thread.dropped;
    }
    QVERIFY(dropped > 100);
  }

  void aRunThatFailsSaysWhyAndKeepsNoLaterRepeat() {
    const Plan made = plan("broken {\"samples\": [3]}");
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasureSettings settings = quick();
    settings.failureLimit.count = 0;
    settings.repeats = 3;
    const Result<RunResult> result = MeasuredRun(made, caches, settings, notes).run();
    VERIFY_OK(result);
    QVERIFY(result->outcome == RunOutcome::Failed);
    QVERIFY(result->reason.starts_with("broken: a sample failed, limit 0; first: "));
    QVERIFY(result->tooManyFailed);
    QVERIFY(result->repeats.size() <= 1);
  }

  void aStopInterruptsAndKeepsWhatWasMeasured() {
    const Plan made = plan();
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasureSettings settings = quick();
    settings.epochs = 1000000;
    settings.repeats = 3;
    MeasuredRun run(made, caches, settings, notes);
    notes.atBatch = [&](std::size_t, const Batch& batch) {
      if (batch.sequence == 30) run.stop();
    };
    const Result<RunResult> result = run.run();
    VERIFY_OK(result);
    QVERIFY(result->outcome == RunOutcome::Interrupted);
    QCOMPARE(result->repeats.size(), std::size_t{1});
    QVERIFY(result->figures.batches > 30 && result->figures.batches < 100);
  }

  void aLiveChangeHoldsForLaterRepeatsToo() {
    const Plan made = plan("tint {\"amount\": 0}");
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasureSettings settings = quick();
    settings.epochs = 3;
    settings.repeats = 2;
    MeasuredRun run(made, caches, settings, notes);
    std::vector<int> first;
    Status set;
    notes.atBatch = [&](std::size_t repeat, const Batch& batch) {
      if (repeat == 0 && batch.sequence == 0) set = run.set("tint", "amount", "9");
      if (batch.sequence == 0) first.push_back(int(batch.fields[0].rows[0].data[0]));
    };
    const Result<RunResult> result = run.run();
    VERIFY_OK(result);
    VERIFY_OK(set);
    QCOMPARE(result->liveChanges.size(), std::size_t{1});
    QCOMPARE(result->liveChanges[0].param, std::string("amount"));
    QCOMPARE(first.size(), std::size_t{2});
    QCOMPARE(first[1], (first[0] + 9) % 256);
    QVERIFY(!run.set("batch", "size", "3"));
  }

  void cachesLiveOnFromRepeatToRepeat() {
    const Plan made =
        tests::planOf("words {\"count\": 20}\nkeep\nbatch {\"size\": 8}\ndrain").take();
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasureSettings settings = quick();
    settings.repeats = 2;
    const Result<RunResult> result = MeasuredRun(made, caches, settings, notes).run();
    VERIFY_OK(result);
    QCOMPARE(*result->repeats[0].nodes[0].items, 20U);
    QCOMPARE(*result->repeats[1].nodes[0].items, 0U);
  }

  void aStartThatIsNotThereIsAnError() {
    const Plan made = plan();
    const CacheSet caches = CacheSet::make(made).take();
    Notes notes;
    MeasureSettings settings = quick();
    settings.startBatch = 7;
    QVERIFY(!MeasuredRun(made, caches, settings, notes).run());
  }
};

}  // namespace millrace

using millrace::TestMeasuredRun;
MILLRACE_TEST_CASE(TestMeasuredRun)
#include "tst_measured_run.moc"
