// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// How a run ends: failures, close, stop, cancel.
#include "core/run/executor.h"

#include <fmt/format.h>

#include <fstream>
#include <thread>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestExecutorEnd : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { gate().open(); }

  // Failures.

  void aFailedSampleShortensItsOwnBatchAndMovesNoOther() {
    const std::string chain =
        "synthetic {\"count\": 20}\n%1\nbroken {\"samples\": [5, 6, 13]}\n"
        "batch {\"size\": 4}\nprefetch\ndrain";
    for (const int count : {1, 4})
      for (const char* unit : {"sample", "batch"}) {
        const std::string region = workers(count, fmt::format(", \"unit\": \"{}\"", unit));
        const Outcome outcome =
            runChain(QString::fromStdString(chain).arg(region.c_str()).toStdString(),
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
    const std::string broken = "\nbroken {\"samples\": [0, 6]}\n";
    for (const std::string& between :
         {broken, broken + workers(2) + "\n", "\n" + workers(2) + broken}) {
      const Outcome outcome = runChain("synthetic {\"count\": 8}\n" + workers(3) + between +
                                           "batch {\"size\": 4, \"on_failure\": \"fill\"}\ndrain",
                                       withFailures(epochs(1), 2));
      QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
      QCOMPARE(rows(outcome), (std::vector<std::size_t>{4, 4}));
      QCOMPARE(outcome.batches[0].keys[0].index, 1U);
      QCOMPARE(outcome.batches[1].keys[2].index, 5U);
    }
  }

  /// With any limit: a run whose end is given in seconds would never begin to measure.
  void aRunEndsWhenEverySampleOfAnEpochHasFailed() {
    for (const char* end : {"drain", "prefetch\ndrain"})
      for (const int count : {0, 2}) {
        const std::string chain = fmt::format(
            "synthetic {{\"count\": 5}}\n{}\nbroken {{\"samples\": [0, 1, 2, 3, 4]}}\n"
            "batch {{\"size\": 2}}\n{}",
            count == 0 ? "" : workers(count), end);
        const Outcome endless = runChain(chain, withFailures(epochs(3), 5));
        QVERIFY(endless.end == RunEnd::Failed);
        QVERIFY2(endless.error.starts_with("every sample of an epoch failed; first: "),
                 endless.error.c_str());
        QVERIFY(runChain(chain, withFailures(epochs(1), 5)).end == RunEnd::Finished);
      }
  }

  void aBatchWithoutAGoodSampleIsSkipped() {
    for (const char* end : {"drain", "prefetch\ndrain", "prefetch\nprefetch\ndrain"})
      for (const int count : {0, 3}) {
        const Outcome outcome =
            runChain(fmt::format("synthetic {{\"count\": 6}}\n{}\nbroken {{\"samples\": [2, 3]}}\n"
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
    const Outcome fine = runChain(chain, withFailures(epochs(2), 1));
    QVERIFY2(fine.end == RunEnd::Finished, fine.error.c_str());
    QCOMPARE(rows(fine), (std::vector<std::size_t>{3, 4, 3, 4}));
    const Outcome over = runChain(chain, withFailures(epochs(2), 0));
    QVERIFY(over.end == RunEnd::Failed);
    QVERIFY2(
        over.error.starts_with("decode: a sample failed, limit 0; first: even/000.jpg: decode: "),
        over.error.c_str());
  }

  void lackOfMemoryEndsTheRun() {
    for (const char* region : {"", "workers {\"count\": 1}", "workers {\"count\": 4}"})
      for (const bool behind : {false, true}) {
        const std::string broken = "broken {\"samples\": [9], \"throws\": true}\n";
        const Outcome outcome = runChain(
            fmt::format("synthetic {{\"count\": 20}}\n{}\n{}batch {{\"size\": 2}}\n{}drain", region,
                        behind ? "" : broken, behind ? broken : ""),
            epochs(5));
        QVERIFY(outcome.end == RunEnd::Failed);
        QVERIFY2(outcome.error.find("there is not enough memory") != std::string::npos,
                 outcome.error.c_str());
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
      // A step lasts ten minutes, so only a run that hangs reaches the limit.
      QVERIFY(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
    }
  }

  void aStopDropsABatchInTheMakingWhenItsGraceIsOver() {
    // The gate never opens, so the samples after it are begun after the grace time has passed.
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
};

}  // namespace millrace

using millrace::TestExecutorEnd;
MILLRACE_TEST_CASE(TestExecutorEnd)
#include "tst_executor_end.moc"
