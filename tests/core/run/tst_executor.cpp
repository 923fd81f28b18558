// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/executor.h"

#include <fmt/format.h>
#include <QTemporaryDir>

#include <algorithm>
#include <fstream>
#include <set>
#include <thread>

#include "core/base/text.h"
#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestExecutor : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  std::string photos(const std::string& behindSource, const std::string& end,
                     const std::string& scaling = "auto") const {
    return fmt::format(
        "image_folder {{\"paths\": [\"{}\"]}}\nshuffle\n{}\nchaos\ndecode {{\"scaling\": \"{}\"}}\n"
        "random_resized_crop {{\"height\": 24, \"width\": 20}}\nflip\nnormalise\n"
        "precision {{\"dtype\": \"f32\", \"layout\": \"nchw\"}}\nbatch {{\"size\": 5}}\n{}",
        m_folder.path().toStdString(), behindSource, scaling, end);
  }
  static std::string workers(int count, const std::string& more = "") {
    return fmt::format("workers {{\"count\": {}{}}}", count, more);
  }
  static Outcome run(const std::string& chain, const ExecutorOptions& options,
                     const PlanSettings& settings = {}) {
    const Result<Plan> plan = planOf(chain, settings);
    if (!plan) return {RunEnd::Failed, plan.error().message, {}, {}, {}};
    return runPlan(*plan, options);
  }
  static std::multiset<std::uint32_t> indices(const Outcome& outcome, std::uint32_t epoch) {
    std::multiset<std::uint32_t> all;
    for (const SeenBatch& batch : outcome.batches)
      for (const SampleKey& key : batch.keys)
        if (batch.epoch == epoch) all.insert(key.index);
    return all;
  }
  static std::vector<std::size_t> rows(const Outcome& outcome) {
    std::vector<std::size_t> all;
    for (const SeenBatch& batch : outcome.batches) all.push_back(batch.rows);
    return all;
  }
  static ExecutorOptions withFailures(ExecutorOptions options, std::uint64_t count) {
    options.failureLimit.count = count;
    return options;
  }

 private slots:
  void initTestCase() { writePictures(m_folder.path().toStdString(), 23); }
  void cleanup() { gate().open(); }

  // The same batches, bit for bit.

  void photosAreTheSameForAnyNumberOfWorkers() {
    const Outcome one = run(photos("", "drain"), epochs(3));
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    QCOMPARE(one.batches.size(), std::size_t{15});
    QVERIFY(one.batches[0].digest != one.batches[5].digest);
    for (const char* end :
         {"drain", "prefetch {\"batches\": 2}\ndrain", "prefetch\nprefetch\ndrain"})
      for (const int count : {0, 1, 2, 5})
        for (const char* unit : {"sample", "batch"}) {
          const std::string region =
              count == 0 ? "" : workers(count, fmt::format(", \"unit\": \"{}\"", unit));
          const Outcome other = run(photos(region, end), epochs(3));
          QVERIFY2(other.end == RunEnd::Finished, other.error.c_str());
          QVERIFY2(other.batches == one.batches, (region + " " + end).c_str());
        }
  }

  void workOnBatchesGivesTheSameAsWorkOnSamples() {
    const std::string rows = "tint {\"amount\": 3}\nchaos\ntint {\"amount\": 4}\n";
    const std::string source = "synthetic {\"count\": 31}\nshuffle\n";
    const Outcome inFront = run(source + rows + "batch {\"size\": 4}\ndrain", epochs(2));
    QVERIFY2(inFront.end == RunEnd::Finished, inFront.error.c_str());
    for (const std::string& chain :
         {"batch {\"size\": 4}\n" + rows + "drain",
          "batch {\"size\": 4}\n" + rows + "prefetch\ndrain",
          workers(3) + "\nbatch {\"size\": 4}\n" + rows + "prefetch\ndrain",
          workers(3) + "\nbatch {\"size\": 4}\n" + rows + "drain",
          "batch {\"size\": 4}\n" + workers(3) + "\n" + rows + "prefetch\ndrain",
          "batch {\"size\": 4}\nprefetch\n" + workers(3) + "\n" + rows + "prefetch\ndrain",
          workers(2) + "\nbatch {\"size\": 4}\n" + workers(3) + "\n" + rows + "drain"}) {
      const Outcome behind = run(source + chain, epochs(2));
      QVERIFY2(behind.end == RunEnd::Finished, behind.error.c_str());
      QVERIFY2(behind.batches == inFront.batches, chain.c_str());
    }
  }

  void fusedAndApartAgreeOnWholeDecodes() {
    const Outcome fused = run(photos(workers(2), "prefetch\ndrain", "full"), epochs(2));
    PlanSettings apart;
    apart.fuse = false;
    const Outcome single = run(photos(workers(2), "prefetch\ndrain", "full"), epochs(2), apart);
    QVERIFY2(fused.end == RunEnd::Finished, fused.error.c_str());
    QCOMPARE(single.batches.size(), fused.batches.size());
    QVERIFY(single.batches == fused.batches);
  }

  void bytesOfAnyLengthArriveWhole() {
    const std::string source = "words {\"count\": 40, \"unit\": 900}\nshuffle\n";
    const Outcome one = run(source + "batch {\"size\": 6}\ndrain", epochs(4));
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    const Outcome many =
        run(source + workers(5) + "\nbatch {\"size\": 6}\nprefetch\nprefetch\ndrain", epochs(4));
    QVERIFY2(many.end == RunEnd::Finished, many.error.c_str());
    QVERIFY(many.batches == one.batches);
  }

  void aPaddedBatchIsPaddedBeforeTheNodesBehindIt() {
    const std::string chain =
        "synthetic {\"content\": \"image\", \"count\": 3, \"height\": 2, \"width\": 2}\n" +
        workers(2) + "\nbatch {\"size\": 3, \"pad_height\": 3, \"pad_width\": 3}\ntint\ndrain";
    const Result<Plan> plan = planOf(chain);
    VERIFY_OK(plan);
    int corner = -1;
    (void)runPlan(*plan, epochs(1), *CacheSet::make(*plan), [&](Executor&, const Batch& batch) {
      corner = static_cast<int>(batch.fields[0].rows[0].data[26]);
    });
    QCOMPARE(corner, 1);
  }

  // Resume.

  void aStartGivesTheTailOfTheWholeRun() {
    const std::string tail = "\nbatch {\"size\": 4}\n";
    const std::string source = "synthetic {\"count\": 37, \"classes\": 3}\n";
    for (const std::string& order :
         {std::string("shuffle"), std::string("shuffle {\"mode\": \"window\", \"window\": 5}"),
          std::string("repeat\nshuffle"), std::string("balance"),
          std::string("shuffle\nshard {\"world\": 3, \"rank\": 1}")}) {
      const std::string chain = source + order + "\nchaos" + tail + "drain";
      const Outcome whole = run(chain, epochs(4));
      QVERIFY2(whole.end == RunEnd::Finished, (order + ": " + whole.error).c_str());
      for (std::size_t from :
           {std::size_t{1}, whole.batches.size() / 2, whole.batches.size() - 1}) {
        ExecutorOptions options = epochs(4 - whole.batches[from].epoch);
        options.limits.startEpoch = whole.batches[from].epoch;
        options.limits.startBatch = whole.batches[from].index;
        const std::string threads =
            source + order + "\n" + workers(3) + "\nchaos" + tail + "prefetch\ndrain";
        for (const std::string& resumed : {chain, threads}) {
          const Outcome rest = run(resumed, options);
          QVERIFY2(rest.end == RunEnd::Finished, rest.error.c_str());
          const std::vector<SeenBatch> wanted(
              whole.batches.begin() + static_cast<std::ptrdiff_t>(from), whole.batches.end());
          QVERIFY2(rest.batches == wanted, order.c_str());
        }
      }
    }
  }

  // Ready first.

  void readyFirstTakesEverySampleOnceAnEpochAndNoBatchCrossesOne() {
    const Outcome outcome =
        run("synthetic {\"count\": 23}\nshuffle\n" + workers(4, ", \"order\": \"ready\"") +
                "\nchaos\nbatch {\"size\": 5}\nprefetch\ndrain",
            epochs(20));
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QCOMPARE(outcome.batches.size(), std::size_t{100});
    for (std::uint32_t epoch = 0; epoch < 20; ++epoch) {
      const auto seen = indices(outcome, epoch);
      QCOMPARE(seen.size(), std::size_t{23});
      QCOMPARE(std::set<std::uint32_t>(seen.begin(), seen.end()).size(), std::size_t{23});
    }
    for (const SeenBatch& batch : outcome.batches)
      for (const SampleKey& key : batch.keys) QCOMPARE(key.epoch, batch.epoch);
  }

  void readyFirstDoesNotWaitForASlowSample() {
    gate().close();
    // Sample 0 stands at the gate until the consumer has seen all other batches of the epoch.
    const Result<Plan> plan =
        planOf("synthetic {\"count\": 20}\n" + workers(2, ", \"order\": \"ready\"") +
               "\ngate\nbatch {\"size\": 4}\nprefetch\ndrain");
    VERIFY_OK(plan);
    std::size_t seen = 0;
    const Outcome outcome =
        runPlan(*plan, epochs(1), *CacheSet::make(*plan), [&](Executor&, const Batch&) {
          if (++seen == 4) gate().open();
        });
    QVERIFY(outcome.end == RunEnd::Finished);
    QCOMPARE(outcome.batches.size(), std::size_t{5});
    // In which row is open: three other samples may still be on their way when the gate opens.
    const auto& last = outcome.batches.back().keys;
    QVERIFY(std::any_of(last.begin(), last.end(), [](const auto& key) { return key.index == 0; }));
  }

  void readyFirstRefusesToStartInTheMiddle() {
    ExecutorOptions options;
    options.limits.startEpoch = 1;
    const Outcome outcome =
        run("synthetic\n" + workers(2, ", \"order\": \"ready\"") + "\nbatch\ndrain", options);
    QVERIFY(outcome.error.find("workers.order") == 0);
  }

  // Failures.

  void aFailedSampleShortensItsOwnBatchAndMovesNoOther() {
    const std::string chain =
        "synthetic {\"count\": 20}\n%1\nbroken {\"samples\": [5, 6, 13]}\n"
        "batch {\"size\": 4}\nprefetch\ndrain";
    for (const int count : {1, 4})
      for (const char* unit : {"sample", "batch"}) {
        const std::string region = workers(count, fmt::format(", \"unit\": \"{}\"", unit));
        const Outcome outcome = run(QString::fromStdString(chain).arg(region.c_str()).toStdString(),
                                    withFailures(epochs(2), 3));
        QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
        QCOMPARE(rows(outcome), (std::vector<std::size_t>{4, 2, 4, 3, 4, 4, 2, 4, 3, 4}));
        QCOMPARE(outcome.batches[1].keys[0].index, 4U);
        QCOMPARE(outcome.batches[1].keys[1].index, 7U);
        QCOMPARE(outcome.totals.failedSamples, 3U);
        QCOMPARE(outcome.failures.size(), std::size_t{3});
        QVERIFY(outcome.failures[0].reason == "broken: made to fail");
      }
  }

  void fillingKeepsBatchesWhole() {
    const Outcome outcome = run(
        "synthetic {\"count\": 8}\n" + workers(3) +
            "\nbroken {\"samples\": [0, 6]}\nbatch {\"size\": 4, \"on_failure\": \"fill\"}\ndrain",
        withFailures(epochs(1), 2));
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QCOMPARE(rows(outcome), (std::vector<std::size_t>{4, 4}));
    QCOMPARE(outcome.batches[0].keys[0].index, 1U);
    QCOMPARE(outcome.batches[1].keys[2].index, 5U);
  }

  void aBatchWithoutAGoodSampleIsSkipped() {
    for (const char* end : {"drain", "prefetch\ndrain", "prefetch\nprefetch\ndrain"})
      for (const int count : {0, 3}) {
        const Outcome outcome =
            run(fmt::format("synthetic {{\"count\": 6}}\n{}\nbroken {{\"samples\": [2, 3]}}\n"
                            "batch {{\"size\": 2}}\ntint\n{}",
                            count == 0 ? "" : workers(count), end),
                withFailures(epochs(2), 2));
        QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
        QCOMPARE(rows(outcome), (std::vector<std::size_t>{2, 2, 2, 2}));
        QCOMPARE(outcome.batches[1].index, 2U);
      }
  }

  void aBrokenFileIsNamedWithItsReason() {
    QTemporaryDir folder;
    writePictures(folder.path().toStdString(), 8);
    std::ofstream((folder.path() + "/even/000.jpg").toStdString(), std::ios::binary)
        << "no picture";
    const std::string chain = fmt::format(
        "image_folder {{\"paths\": [\"{}\"]}}\n{}\ndecode\nresize {{\"height\": 8, \"width\": 8}}\n"
        "batch {{\"size\": 4}}\nprefetch\ndrain",
        folder.path().toStdString(), workers(2));
    const Outcome fine = run(chain, withFailures(epochs(2), 1));
    QVERIFY2(fine.end == RunEnd::Finished, fine.error.c_str());
    QCOMPARE(rows(fine), (std::vector<std::size_t>{3, 4, 3, 4}));
    const Outcome over = run(chain, withFailures(epochs(2), 0));
    QVERIFY(over.end == RunEnd::Failed);
    QVERIFY2(over.error.find("decode: 1 of 8 samples failed (12 %), limit 0; first: even/000.jpg: "
                             "decode: ") == 0 ||
                 over.error.find("decode: 1 of 8 samples failed (13 %)") == 0,
             over.error.c_str());
  }

  void whatALibraryThrowsEndsTheRun() {
    for (const char* region : {"", "workers {\"count\": 1}", "workers {\"count\": 4}"})
      for (const bool behind : {false, true}) {
        const std::string broken = "broken {\"samples\": [9], \"throws\": true}\n";
        const Outcome outcome =
            run(fmt::format("synthetic {{\"count\": 20}}\n{}\n{}batch {{\"size\": 2}}\n{}drain",
                            region, behind ? "" : broken, behind ? broken : ""),
                epochs(5));
        QVERIFY(outcome.end == RunEnd::Failed);
        QVERIFY2(outcome.error.find("bad_alloc") != std::string::npos, outcome.error.c_str());
      }
  }

  // Close, stop, cancel.

  void stoppingFinishesWhatIsBegunAndTakesNothingNew() {
    for (const int count : {0, 1, 5}) {
      const Result<Plan> plan =
          planOf("synthetic {\"count\": 100000}\n" + (count == 0 ? "" : workers(count)) +
                 "\nchaos\nbatch {\"size\": 8}\nprefetch\ndrain");
      VERIFY_OK(plan);
      const Outcome outcome =
          runPlan(*plan, {}, *CacheSet::make(*plan), [](Executor& executor, const Batch& batch) {
            if (batch.sequence == 20) executor.stop(std::chrono::seconds(30));
          });
      QVERIFY(outcome.end == RunEnd::Stopped);
      QVERIFY(outcome.batches.size() > 20);
      QVERIFY(outcome.batches.size() < 200);
      for (std::size_t i = 0; i < outcome.batches.size(); ++i) {
        QCOMPARE(outcome.batches[i].index, static_cast<std::uint32_t>(i));
        QCOMPARE(outcome.batches[i].rows, std::size_t{8});
      }
    }
  }

  void cancellingDropsWhatIsReady() {
    for (const int count : {0, 1, 5}) {
      const Result<Plan> plan = planOf("synthetic\n" + (count == 0 ? "" : workers(count)) +
                                       "\nchaos\nbatch {\"size\": 8}\nprefetch\ndrain");
      VERIFY_OK(plan);
      const Outcome outcome =
          runPlan(*plan, {}, *CacheSet::make(*plan), [](Executor& executor, const Batch& batch) {
            if (batch.sequence == 3) executor.cancel();
          });
      QVERIFY(outcome.end == RunEnd::Stopped);
      QCOMPARE(outcome.batches.size(), std::size_t{4});
    }
  }

  void aStopEndsALongStepWithinItsGrace() {
    for (const char* region : {"", "prefetch", "workers {\"count\": 5}\n"}) {
      const std::string chain = std::string(region).find("workers") == 0
                                    ? "synthetic\n" + std::string(region) + "batch\n"
                                    : "synthetic\nbatch\n" + std::string(region) + "\n";
      const Result<Plan> plan = planOf(chain + "long_step {\"seconds\": 600}");
      VERIFY_OK(plan);
      std::thread stopper;
      const SteadyTime begin = std::chrono::steady_clock::now();
      const Outcome outcome =
          runPlan(*plan, {}, *CacheSet::make(*plan), [&](Executor& executor, const Batch&) {
            if (!stopper.joinable())
              stopper = std::thread([&executor] { executor.stop(std::chrono::milliseconds(50)); });
          });
      stopper.join();
      QVERIFY(outcome.end == RunEnd::Stopped);
      // The limit only fails a run that hangs: a step lasts ten minutes.
      QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
    }
  }

  void aStopDropsABatchInTheMakingWhenItsGraceIsOver() {
    // Nobody opens the gate, so that the samples behind it are begun after the grace has passed.
    for (const char* chain :
         {"synthetic {\"count\": 1000}\ngate\nbatch {\"size\": 1000}\ndrain",
          "synthetic {\"count\": 1000}\nworkers {\"count\": 1, \"unit\": \"batch\"}\ngate\n"
          "batch {\"size\": 1000}\ndrain",
          "synthetic {\"count\": 1000}\nbatch {\"size\": 1000}\ngate\ndrain",
          "synthetic {\"count\": 1000}\nbatch {\"size\": 1000}\nworkers {\"count\": "
          "1}\ngate\ndrain"}) {
      gate().close();
      const Result<Plan> plan = planOf(chain);
      VERIFY_OK(plan);
      const auto caches = CacheSet::make(*plan);
      auto executor = Executor::make(*plan, *caches, {});
      VERIFY_OK(executor);
      std::thread stopper([&] {
        (void)gate().waitForVisitor();
        (*executor)->stop(std::chrono::seconds(0));
        gate().open();
      });
      const RunEnd end =
          (*executor)->run([](const Batch&, const Executor::Arrival&) { return true; });
      stopper.join();
      QVERIFY(end == RunEnd::Stopped);
      for (std::size_t i = 0; i < plan->pipeline.nodes.size(); ++i)
        if (plan->node(i).id == "gate") QCOMPARE((*executor)->totals().nodes[i].items, 1U);
      QCOMPARE((*executor)->totals().batches, 0U);
    }
  }

  void aSinkThatHasEnoughEndsTheRun() {
    const Result<Plan> plan = planOf("synthetic\n" + workers(3) + "\nbatch\nprefetch\ndrain");
    const auto caches = CacheSet::make(*plan);
    auto executor = Executor::make(*plan, *caches, {});
    VERIFY_OK(executor);
    int seen = 0;
    QVERIFY((*executor)->run([&](const Batch&, const Executor::Arrival&) { return ++seen < 3; }) ==
            RunEnd::Finished);
    QCOMPARE(seen, 3);
  }

  void anExecutorThatNeverRunsGoesAway() {
    const Result<Plan> plan = planOf("synthetic\n" + workers(3) + "\nbatch\nprefetch\ndrain");
    const auto caches = CacheSet::make(*plan);
    VERIFY_OK(Executor::make(*plan, *caches, {}));
  }

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
        const Outcome outcome = runPlan(*plan, batches(12), *CacheSet::make(*plan),
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
             std::string("batch.size cannot change while a run goes on; these can: tint.amount"));
    QVERIFY(message("tint", "amount", "256").find("tint.amount: ") == 0);
    QVERIFY(message("tint", "amount", "x").find("tint.amount: ") == 0);
    QVERIFY(message("nobody", "amount", "1").find("cannot change") != std::string::npos);
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
    const Outcome plain = run(source + "tint\n" + tail, epochs(3));
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
        // Threads that meet at an epoch's end may read a sample that is just being kept.
        QVERIFY(cached.totals.reads >= 30 && cached.totals.reads <= 33);
        const Outcome again = runPlan(*plan, epochs(3), *caches);
        QVERIFY(again.batches == plain.batches);
        QCOMPARE(again.totals.reads, 0U);
      }
  }

  void aCacheBehindTheBatchIsACacheToo() {
    const std::string source = "synthetic {\"count\": 12}\nbatch {\"size\": 4}\n";
    const Outcome plain = run(source + "tint\ntint\ndrain", epochs(3));
    const Outcome cached = run(source + "tint\nkeep\ntint\ndrain", epochs(3));
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

  // Batch operations.

  void aBatchOperationRunsOnItsStagesThreads() {
    (void)takeStampThreads();
    const std::string source = "synthetic {\"count\": 40}\n";
    const Outcome inWorkers =
        run(source + workers(2) + "\nbatch {\"size\": 4}\nstamp\nprefetch\ndrain", epochs(2));
    QVERIFY2(inWorkers.end == RunEnd::Finished, inWorkers.error.c_str());
    for (const std::string& name : takeStampThreads())
      QVERIFY2(name.find("workers:") == 0, name.c_str());
    const Outcome behind =
        run(source + workers(2) + "\nbatch {\"size\": 4}\nprefetch\nstamp\ndrain", epochs(2));
    for (const std::string& name : takeStampThreads())
      QVERIFY2(name.find("workers:") != 0 && name.find("prefetch:") != 0, name.c_str());
    const Outcome between = run(
        source + workers(2) + "\nbatch {\"size\": 4}\nprefetch\nstamp\nprefetch\ndrain", epochs(2));
    for (const std::string& name : takeStampThreads())
      QVERIFY2(name.find("prefetch_2:") == 0, name.c_str());
    QVERIFY(inWorkers.batches == behind.batches);
    QVERIFY(between.batches == behind.batches);
  }

  void mixingIsTheSameOnAnyThread() {
    const std::string front =
        "synthetic {\"count\": 30, \"content\": \"image\", \"height\": 6, \"width\": 6}\none_hot\n";
    const std::string mix = "batch {\"size\": 4}\nmixup\ncutmix\n";
    const Outcome one = run(front + "shuffle\n" + mix + "drain", epochs(1));
    QVERIFY(one.end == RunEnd::Failed);  // shuffle stands behind a node
    const std::string ordered =
        "synthetic {\"count\": 30, \"content\": \"image\", \"height\": 6, \"width\": 6}\nshuffle\n";
    const std::string rest = "one_hot\nnormalise\n" + mix;
    const Outcome plain = run(ordered + rest + "drain", epochs(2));
    QVERIFY2(plain.end == RunEnd::Finished, plain.error.c_str());
    const Outcome threads = run(ordered + workers(5) + "\n" + rest + "prefetch\ndrain", epochs(2));
    QVERIFY2(threads.end == RunEnd::Finished, threads.error.c_str());
    QVERIFY(threads.batches == plain.batches);
  }

  // Counting.

  void whatIsDeliveredIsCountedOnce() {
    const Outcome outcome =
        run("words {\"count\": 21}\n" + workers(3) + "\ntint\nbatch {\"size\": 4}\nprefetch\ndrain",
            epochs(3));
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QCOMPARE(outcome.totals.samples, 63U);
    QCOMPARE(outcome.totals.batches, 18U);
    QCOMPARE(outcome.totals.nodes[0].items, 63U);
    QCOMPARE(outcome.totals.nodes[2].items, 63U);
    QCOMPARE(outcome.totals.nodes[3].items, 18U);
    QCOMPARE(outcome.totals.queues.size(), std::size_t{1});
    QCOMPARE(outcome.totals.queues[0].batches, 18U);
    QVERIFY(outcome.totals.stages[0].cpuNs > 0);
    QCOMPARE(outcome.totals.stages[0].samples, 63U);
  }
};

}  // namespace millrace

using millrace::TestExecutor;
MILLRACE_TEST_CASE(TestExecutor)
#include "tst_executor.moc"
