// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Changes during a run: live parameters, caches.
#include "core/run/executor.h"

#include <fmt/format.h>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestExecutorChange : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { gate().open(); }

  // Live parameters.

  void aLiveParameterChangesResultsFromTheNextSampleOn() {
    for (const char* region : {"", "workers {\"count\": 3}"})
      for (const bool behind : {false, true}) {
        const std::string tint = "tint {\"amount\": 0}\n";
        const Result<Plan> plan =
            planOf(fmt::format("synthetic {{\"count\": 4}}\n{}\n{}batch {{\"size\": 4}}\n{}drain",
                               region, behind ? "" : tint, behind ? tint : ""));
        VERIFY_OK(plan);
        std::vector<int> first;
        Status set;
        const Outcome outcome = runPlan(*plan, batches(40), *CacheSet::make(*plan),
                                        [&](Executor& executor, const Batch& batch) {
                                          first.push_back(int(batch.fields[0].rows[0].data[0]));
                                          if (batch.sequence == 2)
                                            set = executor.set("tint", "amount", "7");
                                        });
        QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
        VERIFY_OK(set);
        QCOMPARE(first.front(), first[2]);
        QCOMPARE(first.back(), (first.front() + 7) % 256);
      }
  }

  void whatIsNotLiveIsRefusedWithWhatIs() {
    const Result<Plan> plan = planOf("synthetic\ntint\nbatch\ndrain");
    const auto caches = CacheSet::make(*plan);
    auto executor = Executor::make(*plan, *caches, {});
    VERIFY_OK(executor);
    const auto message = [&](const char* node, const char* param, const char* value) {
      const Status set = (*executor)->set(node, param, value);
      return set ? std::string("accepted") : set.error().message;
    };
    QCOMPARE(message("batch", "size", "3"),
             std::string("batch.size cannot be changed during a run; these can: tint.amount"));
    QVERIFY(message("tint", "amount", "256").find("tint.amount: ") == 0);
    QVERIFY(message("tint", "amount", "x").find("tint.amount: ") == 0);
    QVERIFY(message("missing", "amount", "1").find("cannot be changed") != std::string::npos);
    QCOMPARE(message("tint", "amount", "255"), std::string("accepted"));
  }

  void aLiveParameterInFrontOfACacheIsRefused() {
    const Result<Plan> plan = planOf("synthetic\ntint\nmemory_cache\nbatch\ndrain");
    VERIFY_OK(plan);
    const auto caches = CacheSet::make(*plan);
    auto executor = Executor::make(*plan, *caches, {});
    const Status set = (*executor)->set("tint", "amount", "2");
    QVERIFY(!set);
    QVERIFY(set.error().message.find("memory_cache") != std::string::npos);
  }

  void theStepOfTheConsumerCanChange() {
    const Result<Plan> plan = planOf("synthetic\nbatch\nprefetch\nlong_step {\"seconds\": 0}");
    VERIFY_OK(plan);
    const Outcome outcome =
        runPlan(*plan, batches(5), *CacheSet::make(*plan), [](Executor& executor, const Batch& b) {
          if (b.sequence == 2) QVERIFY(executor.set("long_step", "seconds", "0.001").ok());
        });
    QVERIFY(outcome.end == RunEnd::Finished);
    QVERIFY(outcome.totals.nominalStepSeconds > 0.0019);
    QVERIFY(outcome.totals.nominalStepSeconds < 0.0031);
  }

  // Caches.

  void aCachedEpochReadsNothingAndIsTheSame() {
    const std::string source = "words {\"count\": 30, \"unit\": 50}\nshuffle\n";
    const std::string tail = "tint\nbatch {\"size\": 4}\nprefetch\ndrain";
    const Outcome plain = runChain(source + "tint\n" + tail, epochs(3));
    QVERIFY2(plain.end == RunEnd::Finished, plain.error.c_str());
    QCOMPARE(plain.totals.reads, 90U);
    for (const char* cache : {"keep", "memory_cache"})
      for (const int count : {0, 3}) {
        const std::string region = count == 0 ? "" : workers(count) + "\n";
        const Result<Plan> plan = planOf(source + region + "tint\n" + cache + "\n" + tail);
        VERIFY_OK(plan);
        const auto caches = CacheSet::make(*plan);
        const Outcome cached = runPlan(*plan, epochs(3), *caches);
        QVERIFY2(cached.end == RunEnd::Finished, cached.error.c_str());
        QVERIFY(cached.batches == plain.batches);
        // At an epoch's end, threads may read a sample that another thread is just storing.
        QVERIFY(cached.totals.reads >= 30 && cached.totals.reads <= 33);
        const Outcome again = runPlan(*plan, epochs(3), *caches);
        QVERIFY(again.batches == plain.batches);
        QCOMPARE(again.totals.reads, 0U);
      }
  }

  void aCacheBehindTheBatchIsACacheToo() {
    const std::string source = "synthetic {\"count\": 12}\nbatch {\"size\": 4}\n";
    const Outcome plain = runChain(source + "tint\ntint\ndrain", epochs(3));
    const Outcome cached = runChain(source + "tint\nkeep\ntint\ndrain", epochs(3));
    QVERIFY2(cached.end == RunEnd::Finished, cached.error.c_str());
    QVERIFY(cached.batches == plain.batches);
  }

  void aFullCacheKeepsWhatItHas() {
    const Result<Plan> plan = planOf(
        "words {\"count\": 30}\nkeep {\"limit\": 10}\n"
        "batch {\"size\": 4}\ndrain");
    VERIFY_OK(plan);
    const auto caches = CacheSet::make(*plan);
    const Outcome outcome = runPlan(*plan, epochs(3), *caches);
    QVERIFY(outcome.end == RunEnd::Finished);
    QCOMPARE(outcome.totals.reads, std::uint64_t{30 + 20 + 20});
    QCOMPARE(caches->find("keep")->fill().entries, 10U);
  }

  void twoCachesAreAskedFromTheLastOn() {
    const Result<Plan> plan = planOf(
        "words {\"count\": 8}\nkeep\ntint\nkeep {\"limit\": 3}\n"
        "batch {\"size\": 4}\ndrain");
    VERIFY_OK(plan);
    const auto caches = CacheSet::make(*plan);
    const Outcome outcome = runPlan(*plan, epochs(2), *caches);
    QVERIFY(outcome.end == RunEnd::Finished);
    QCOMPARE(outcome.totals.reads, 8U);
    QCOMPARE(outcome.totals.nodes[2].items, std::uint64_t{8 + 5});
  }
};

}  // namespace millrace

using millrace::TestExecutorChange;
MILLRACE_TEST_CASE(TestExecutorChange)
#include "tst_executor_change.moc"
