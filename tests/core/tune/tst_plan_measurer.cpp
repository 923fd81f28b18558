// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/plan_measurer.h"

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

const char* const kChain =
    "synthetic {\"count\": 40}\nworkers {\"count\": 2}\nbatch {\"size\": 8}\nprefetch\ndrain";

/// Five batches, whatever time they take.
MeasureSettings fiveBatches() {
  MeasureSettings settings;
  settings.warmupSeconds = 0;
  settings.seconds.reset();
  settings.batches = 5;
  settings.repeats = 9;  // the measurer ignores this and measures one
  return settings;
}

class BatchNotes final : public RunObserver {
 public:
  void onBatch(std::size_t, const Batch&) override {
    ++batches;
    if (atBatch) atBatch();
  }
  std::size_t batches = 0;
  std::function<void()> atBatch;
};

}  // namespace

class TestPlanMeasurer : public QObject {
  Q_OBJECT
 private slots:
  void init() {
    m_plan.emplace(tests::planOf(kChain).take());
    m_caches.emplace(CacheSet::make(*m_plan).take());
  }

  void measuresOneRepeatOfTheSideThatIsAskedFor() {
    BatchNotes a;
    BatchNotes b;
    PlanMeasurer measurer({{&*m_plan, &*m_caches, &a}, {&*m_plan, &*m_caches, &b}}, fiveBatches());
    for (int block = 0; block < 2; ++block) {
      const Result<RunResult> result = measurer.measure(1);
      VERIFY_OK(result);
      QVERIFY(result->outcome == RunOutcome::Finished);
      QCOMPARE(result->repeats.size(), std::size_t{1});
      QCOMPARE(result->repeats.front().samples, std::uint64_t{40});
    }
    QCOMPARE(a.batches, std::size_t{0});
    QVERIFY(b.batches >= 10);
  }

  void afterAStopNothingIsMeasured() {
    BatchNotes notes;
    PlanMeasurer measurer({{&*m_plan, &*m_caches, &notes}}, fiveBatches());
    measurer.stop();
    const Result<RunResult> result = measurer.measure(0);
    VERIFY_OK(result);
    QVERIFY(result->outcome == RunOutcome::Interrupted);
    QCOMPARE(notes.batches, std::size_t{0});
  }

  void aStopEndsTheRepeatThatGoesOn() {
    BatchNotes notes;
    MeasureSettings endless = fiveBatches();
    endless.batches = 1000000000;
    PlanMeasurer measurer({{&*m_plan, &*m_caches, &notes}}, endless);
    notes.atBatch = [&] { measurer.cancel(); };
    const Result<RunResult> result = measurer.measure(0);
    VERIFY_OK(result);
    QVERIFY(result->outcome == RunOutcome::Interrupted);
  }

 private:
  std::optional<Plan> m_plan;
  std::optional<CacheSet> m_caches;
};

}  // namespace millrace

using millrace::TestPlanMeasurer;
MILLRACE_TEST_CASE(TestPlanMeasurer)
#include "tst_plan_measurer.moc"
