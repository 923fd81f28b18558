// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Runs that read ahead of their workers: the same batches, failures and ends as without.
#include <fmt/format.h>
#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestReadAheadRun : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  static std::string photos(const QTemporaryDir& folder, int ahead, const std::string& region,
                            const std::string& end = "prefetch\ndrain") {
    return fmt::format(
        "image_folder {{\"paths\": [\"{}\"], \"read_ahead\": {}}}\nshuffle\n{}\nchaos\ndecode\n"
        "random_resized_crop {{\"height\": 24, \"width\": 20}}\nflip\nbatch {{\"size\": 5}}\n{}",
        folder.path().toStdString(), ahead, region, end);
  }

  static std::string words(int count, int ahead, const std::string& region,
                           const std::string& params = "") {
    return fmt::format(
        "words {{\"count\": {}, \"unit\": 90, \"read_ahead\": {}{}}}\nshuffle\n{}\nchaos\n"
        "batch {{\"size\": 6}}\nprefetch\ndrain",
        count, ahead, params, region);
  }

 private slots:
  void initTestCase() { writePictures(m_folder.path().toStdString(), 23); }
  void cleanup() { gate().open(); }

  void photosAreTheSameBitForBit() {
    const Outcome one = runChain(photos(m_folder, 0, "", "drain"), epochs(3));
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    QCOMPARE(one.batches.size(), std::size_t{15});
    for (const int ahead : {1, 3, 64, 500})
      for (const char* end : {"drain", "prefetch\nprefetch\ndrain"})
        for (const int count : {0, 1, 5})
          for (const char* unit : {"sample", "batch"}) {
            const std::string region =
                count == 0 ? "" : workers(count, fmt::format(", \"unit\": \"{}\"", unit));
            const Outcome other = runChain(photos(m_folder, ahead, region, end), epochs(3));
            QVERIFY2(other.end == RunEnd::Finished, other.error.c_str());
            QVERIFY2(other.batches == one.batches,
                     fmt::format("{} ahead, {} {}", ahead, region, end).c_str());
          }
  }

  void readyFirstGivesEachSampleOnceAnEpoch() {
    const Outcome strict = runChain(words(50, 0, workers(4)), epochs(3));
    const Outcome ready = runChain(words(50, 9, workers(4, ", \"order\": \"ready\"")), epochs(3));
    QVERIFY2(ready.end == RunEnd::Finished, ready.error.c_str());
    for (std::uint32_t epoch = 0; epoch < 3; ++epoch)
      QVERIFY(indices(ready, epoch) == indices(strict, epoch));
  }

  void tinyEpochsAreReadFarAhead() {
    for (const char* unit : {"sample", "batch"}) {
      const std::string region = workers(5, fmt::format(", \"unit\": \"{}\"", unit));
      const Outcome none = runChain(words(3, 0, region), epochs(300));
      const Outcome ahead = runChain(words(3, 100, region), epochs(300));
      QVERIFY2(ahead.end == RunEnd::Finished, ahead.error.c_str());
      QCOMPARE(ahead.batches.size(), std::size_t{300});
      QVERIFY(ahead.batches == none.batches);
    }
  }

  void aStartInTheMiddleGivesTheTail() {
    const Outcome whole = runChain(words(40, 7, workers(3)), epochs(3));
    QVERIFY2(whole.end == RunEnd::Finished, whole.error.c_str());
    ExecutorOptions options = epochs(2);
    options.limits.startEpoch = 1;
    options.limits.startBatch = 4;
    const Outcome tail = runChain(words(40, 7, workers(3)), options);
    QVERIFY2(tail.end == RunEnd::Finished, tail.error.c_str());
    const std::vector<SeenBatch> rest(whole.batches.begin() + 7 + 4, whole.batches.end());
    QVERIFY(tail.batches == rest);
  }

  void everyReadIsCountedOnce() {
    const Outcome none = runChain(photos(m_folder, 0, workers(3)), epochs(4));
    const Outcome ahead = runChain(photos(m_folder, 8, workers(3)), epochs(4));
    QVERIFY2(ahead.end == RunEnd::Finished, ahead.error.c_str());
    QCOMPARE(none.totals.readOpens, 4U * 23U);
    QCOMPARE(ahead.totals.readOpens, none.totals.readOpens);
    QCOMPARE(ahead.totals.readBytes, none.totals.readBytes);
    QCOMPARE(ahead.totals.reads, none.totals.reads);
    QVERIFY(ahead.totals.timedReads > 0);
    QCOMPARE(ahead.totals.nodes[0].items, none.totals.nodes[0].items);
  }

  void whatACacheKeepsIsTakenFromIt() {
    const std::string chain = photos(m_folder, 4, workers(3));
    std::string cached = chain;
    cached.insert(cached.find("chaos"), "memory_cache\n");
    const Outcome outcome = runChain(cached, epochs(6));
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QVERIFY(outcome.batches == runChain(chain, epochs(6)).batches);
    // A few samples of the second epoch may be read before the first epoch has stored them.
    QVERIFY2(outcome.totals.readOpens < 2U * 23U, std::to_string(outcome.totals.readOpens).c_str());
  }

  // Failures.

  void failuresAreThoseOfTheirSamples() {
    const std::string failing = R"(, "failing": [2, 17, 30])";
    for (const char* unit : {"sample", "batch"}) {
      const std::string region = workers(3, fmt::format(", \"unit\": \"{}\"", unit));
      const Outcome none = runChain(words(40, 0, region, failing), withFailures(epochs(2), 3));
      const Outcome ahead = runChain(words(40, 9, region, failing), withFailures(epochs(2), 3));
      QVERIFY2(ahead.end == RunEnd::Finished, ahead.error.c_str());
      QVERIFY(ahead.batches == none.batches);
      QCOMPARE(ahead.failures.size(), std::size_t{3});
      for (const FailedSample& failed : ahead.failures)
        QCOMPARE(failed.reason, std::string("words: made to fail"));
    }
    const Outcome over = runChain(words(40, 9, workers(2), failing), withFailures(epochs(2), 2));
    QVERIFY(over.end == RunEnd::Failed);
    QVERIFY2(over.error.find("made to fail") != std::string::npos, over.error.c_str());
  }

  void lackOfMemoryEndsTheRun() {
    for (const std::string& region : {std::string(), workers(1), workers(4)}) {
      const Outcome outcome = runChain(words(40, 9, region, R"(, "throwing": 11)"), epochs(5));
      QVERIFY(outcome.end == RunEnd::Failed);
      QVERIFY2(outcome.error.find("there is not enough memory") != std::string::npos,
               outcome.error.c_str());
    }
  }

  void filesThatVanishWhileTheyAreReadFailAlone() {
    const QTemporaryDir folder;
    writePictures(folder.path().toStdString(), 30);
    const Result<Plan> plan = planOf(photos(folder, 16, workers(3)));
    VERIFY_OK(plan);
    const Outcome outcome =
        runPlan(*plan, withFailures(epochs(4), 30), *CacheSet::make(*plan),
                [&](Executor&, const Batch& batch) {
                  if (batch.sequence == 1)
                    std::filesystem::remove_all((folder.path() + "/odd").toStdString());
                });
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QCOMPARE(outcome.failures.size(), std::size_t{15});
    for (const FailedSample& failed : outcome.failures)
      QVERIFY2(
          failed.reason.find("image_folder: no such file: it was listed but is not there") == 0,
          failed.reason.c_str());
    // Some samples of the third epoch may have been read before.
    QCOMPARE(indices(outcome, 3).size(), std::size_t{15});
  }

  // Ends.

  void stoppingFinishesWhatIsBegunAndTakesNothingNew() {
    for (const char* unit : {"sample", "batch"})
      for (const int count : {0, 1, 5}) {
        const std::string region =
            count == 0 ? "" : workers(count, fmt::format(", \"unit\": \"{}\"", unit));
        // Many epochs lie ahead; none of them may be run to its end.
        const Result<Plan> plan = planOf(words(120, 400, region));
        VERIFY_OK(plan);
        const Outcome outcome =
            runPlan(*plan, {}, *CacheSet::make(*plan), [](Executor& executor, const Batch& batch) {
              if (batch.sequence == 22) executor.stop(std::chrono::seconds(30));
            });
        QVERIFY(outcome.end == RunEnd::Stopped);
        QVERIFY(outcome.batches.size() > 22);
        QVERIFY2(outcome.batches.size() < 36, std::to_string(outcome.batches.size()).c_str());
        for (const SeenBatch& batch : outcome.batches) QCOMPARE(batch.rows, std::size_t{6});
      }
  }

  void cancellingEndsAtOnce() {
    for (const int count : {0, 1, 5}) {
      const Result<Plan> plan = planOf(words(1000, 64, count == 0 ? "" : workers(count)));
      VERIFY_OK(plan);
      const Outcome outcome =
          runPlan(*plan, {}, *CacheSet::make(*plan), [](Executor& executor, const Batch& batch) {
            if (batch.sequence == 3) executor.cancel();
          });
      QVERIFY(outcome.end == RunEnd::Stopped);
      QCOMPARE(outcome.batches.size(), std::size_t{4});
    }
  }

  void anExecutorThatNeverRunsGoesAway() {
    const Result<Plan> plan = planOf(words(20, 8, workers(3)));
    const auto caches = CacheSet::make(*plan);
    VERIFY_OK(Executor::make(*plan, *caches, {}));
  }
};

}  // namespace millrace

using millrace::TestReadAheadRun;
MILLRACE_TEST_CASE(TestReadAheadRun)
#include "tst_read_ahead_run.moc"
