// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/executor.h"

#include <fmt/format.h>
#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

namespace {

/// Samples that passed the node `gate`.
std::uint64_t passedGate(const Plan& plan, const Executor& executor) {
  for (std::size_t i = 0; i < plan.pipeline.nodes.size(); ++i)
    if (plan.node(i).id == "gate") return executor.totals().nodes[i].items;
  return 0;
}

}  // namespace
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

 private slots:
  void initTestCase() { writePictures(m_folder.path().toStdString(), 23); }
  void cleanup() { gate().open(); }

  // The same batches, bit for bit.

  void photosAreTheSameForAnyNumberOfWorkers() {
    const Outcome one = runChain(photos("", "drain"), epochs(3));
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    QCOMPARE(one.batches.size(), std::size_t{15});
    QVERIFY(one.batches[0].digest != one.batches[5].digest);
    for (const char* end :
         {"drain", "prefetch {\"batches\": 2}\ndrain", "prefetch\nprefetch\ndrain"})
      for (const int count : {0, 1, 2, 5})
        for (const char* unit : {"sample", "batch"}) {
          const std::string region =
              count == 0 ? "" : workers(count, fmt::format(", \"unit\": \"{}\"", unit));
          const Outcome other = runChain(photos(region, end), epochs(3));
          QVERIFY2(other.end == RunEnd::Finished, other.error.c_str());
          QVERIFY2(other.batches == one.batches, (region + " " + end).c_str());
        }
  }

  void workOnBatchesGivesTheSameAsWorkOnSamples() {
    const std::string rows = "tint {\"amount\": 3}\nchaos\ntint {\"amount\": 4}\n";
    const std::string source = "synthetic {\"count\": 31}\nshuffle\n";
    const Outcome inFront = runChain(source + rows + "batch {\"size\": 4}\ndrain", epochs(2));
    QVERIFY2(inFront.end == RunEnd::Finished, inFront.error.c_str());
    for (const std::string& chain :
         {"batch {\"size\": 4}\n" + rows + "drain",
          "batch {\"size\": 4}\n" + rows + "prefetch\ndrain",
          workers(3) + "\nbatch {\"size\": 4}\n" + rows + "prefetch\ndrain",
          workers(3) + "\nbatch {\"size\": 4}\n" + rows + "drain",
          "batch {\"size\": 4}\n" + workers(3) + "\n" + rows + "prefetch\ndrain",
          "batch {\"size\": 4}\nprefetch\n" + workers(3) + "\n" + rows + "prefetch\ndrain",
          workers(2) + "\nbatch {\"size\": 4}\n" + workers(3) + "\n" + rows + "drain"}) {
      const Outcome behind = runChain(source + chain, epochs(2));
      QVERIFY2(behind.end == RunEnd::Finished, behind.error.c_str());
      QVERIFY2(behind.batches == inFront.batches, chain.c_str());
    }
  }

  void fusedAndApartAgreeOnWholeDecodes() {
    const Outcome fused = runChain(photos(workers(2), "prefetch\ndrain", "full"), epochs(2));
    PlanSettings apart;
    apart.fuse = false;
    const Outcome single =
        runChain(photos(workers(2), "prefetch\ndrain", "full"), epochs(2), apart);
    QVERIFY2(fused.end == RunEnd::Finished, fused.error.c_str());
    QCOMPARE(single.batches.size(), fused.batches.size());
    QVERIFY(single.batches == fused.batches);
  }

  void twoRegionsInFrontOfTheBatchGiveTheSame() {
    const std::string whole = photos("", "drain", "full");
    const Outcome one = runChain(whole, epochs(2));
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    for (const char* where : {"chaos\n", "random_resized_crop", "flip\n", "batch {"})
      for (const char* behind : {"drain", "prefetch\ndrain"}) {
        std::string two = photos(workers(2), behind, "full");
        two.insert(two.find(where), workers(3) + "\n");
        const Outcome other = runChain(two, epochs(2));
        QVERIFY2(other.end == RunEnd::Finished, other.error.c_str());
        QVERIFY2(other.batches == one.batches, two.c_str());
      }
  }

  void bytesOfAnyLengthArriveWhole() {
    const std::string source = "words {\"count\": 40, \"unit\": 900}\nshuffle\n";
    const Outcome one = runChain(source + "batch {\"size\": 6}\ndrain", epochs(4));
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    const Outcome many = runChain(
        source + workers(5) + "\nbatch {\"size\": 6}\nprefetch\nprefetch\ndrain", epochs(4));
    QVERIFY2(many.end == RunEnd::Finished, many.error.c_str());
    QVERIFY(many.batches == one.batches);
  }

  void aPaddedBatchIsPaddedBeforeTheNodesBehindIt() {
    const std::string chain =
        "synthetic {\"content\": \"image\", \"count\": 3, \"height\": 2, \"width\": 2}\n" +
        workers(2) + "\nbatch {\"size\": 3, \"pad_height\": 3, \"pad_width\": 3}\ntint\ndrain";
    for (const std::string& second : {std::string(), workers(2)}) {
      std::string regions = chain;
      if (!second.empty()) regions.insert(regions.find("batch"), second + "\n");
      const Result<Plan> plan = planOf(regions);
      VERIFY_OK(plan);
      int corner = -1;
      (void)runPlan(*plan, epochs(1), *CacheSet::make(*plan), [&](Executor&, const Batch& batch) {
        corner = static_cast<int>(batch.fields[0].rows[0].data[26]);
      });
      QCOMPARE(corner, 1);
    }
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
      const Outcome whole = runChain(chain, epochs(4));
      QVERIFY2(whole.end == RunEnd::Finished, (order + ": " + whole.error).c_str());
      for (std::size_t from :
           {std::size_t{1}, whole.batches.size() / 2, whole.batches.size() - 1}) {
        ExecutorOptions options = epochs(4 - whole.batches[from].epoch);
        options.limits.startEpoch = whole.batches[from].epoch;
        options.limits.startBatch = whole.batches[from].index;
        const std::string threads =
            source + order + "\n" + workers(3) + "\nchaos" + tail + "prefetch\ndrain";
        for (const std::string& resumed : {chain, threads}) {
          const Outcome rest = runChain(resumed, options);
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
        runChain("synthetic {\"count\": 23}\nshuffle\n" + workers(4, ", \"order\": \"ready\"") +
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
    // Sample 0 waits at the gate until the consumer has seen all other batches of the epoch.
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
    // Its row is not determined: three other samples may still be in progress when the gate opens.
    const auto& last = outcome.batches.back().keys;
    QVERIFY(std::any_of(last.begin(), last.end(), [](const auto& key) { return key.index == 0; }));
  }

  void inStrictOrderWorkersGoOnWhileASlowSampleHoldsUpItsBatch() {
    gate().close();
    // Sample 0 waits at the gate until 24 later ones have passed it: more than the queue is for.
    const Result<Plan> plan =
        planOf("synthetic {\"count\": 40}\n" + workers(2) +
               "\ngate\nbatch {\"size\": 4}\nprefetch {\"batches\": 1}\ndrain");
    VERIFY_OK(plan);
    QVERIFY(plan->queues.front().slotCount * 4 < 24);
    auto caches = CacheSet::make(*plan);
    auto executor = Executor::make(*plan, *caches, epochs(1));
    VERIFY_OK(executor);
    std::thread opener([&] {
      for (int i = 0; i < 10'000 && passedGate(*plan, **executor) < 24; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      gate().open();
    });
    std::vector<std::uint32_t> order;
    std::uint64_t passedFirst = 0;
    const RunEnd end = (*executor)->run([&](const Batch& batch, const Executor::Arrival&) {
      if (order.empty()) passedFirst = passedGate(*plan, **executor);
      for (std::size_t r = 0; r < batch.rows; ++r) order.push_back(batch.keys[r].index);
      return true;
    });
    opener.join();
    QVERIFY(end == RunEnd::Finished);
    QVERIFY(passedFirst >= 24);
    QCOMPARE(order.size(), std::size_t{40});
    QVERIFY(std::ranges::is_sorted(order));
  }

  /// With samples that are started early, batches have the same samples and bytes.
  void samplesThatAreStartedEarlyLandInTheirPlaces() {
    for (const auto& [count, shuffle] : {std::pair{40, "shuffle\n"}, std::pair{300, ""}}) {
      const std::string source = fmt::format("synthetic {{\"count\": {}}}\n{}", count, shuffle);
      const std::string tail =
          fmt::format("\nnap {{\"one_in\": 20, \"count\": {}}}\nbatch {{\"size\": 4}}\n", count) +
          "prefetch\ndrain";
      ExecutorOptions options = epochs(4);
      options.traceSpans = 10'000;  // so that every sample is timed
      forgetNaps();
      const Outcome plain = runChain(source + workers(1) + tail, options);
      QVERIFY2(plain.end == RunEnd::Finished, plain.error.c_str());
      forgetNaps();
      const Outcome early = runChain(source + workers(3) + tail, options);
      QVERIFY2(early.end == RunEnd::Finished, early.error.c_str());
      QVERIFY(early.batches == plain.batches);
      if (*shuffle == '\0') QVERIFY(napsAhead() > 0);
    }
  }

  void theSlowestSamplesHaveTheirNode() {
    gate().close();
    const Result<Plan> plan =
        planOf("synthetic {\"count\": 20}\n" + workers(2) +
               "\ngate {\"sample\": 7}\nbatch {\"size\": 4}\nprefetch\ndrain");
    VERIFY_OK(plan);
    auto caches = CacheSet::make(*plan);
    ExecutorOptions options = epochs(1);
    options.traceSpans = 100;  // so that every sample is timed
    auto executor = Executor::make(*plan, *caches, options);
    VERIFY_OK(executor);
    std::thread opener([&] {
      QVERIFY(gate().waitForVisitor());
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      gate().open();
    });
    const RunEnd end =
        (*executor)->run([](const Batch&, const Executor::Arrival&) { return true; });
    opener.join();
    QVERIFY(end == RunEnd::Finished);
    const SlowestSamples::List slowest = (*executor)->slowest();
    QVERIFY(!slowest.samples.empty() && slowest.timed == 20);
    const TimedSample& first = slowest.samples.front();
    QCOMPARE(first.index, 7U);
    QCOMPARE(plan->node(first.node).id, std::string("gate"));
    QVERIFY(first.nodeNs >= 30'000'000 && first.nodeNs <= first.ns && first.bytes > 0);
    QVERIFY(slowest.timedNs >= first.ns);
    (*executor)->beginSlowest();
    QVERIFY((*executor)->slowest().samples.empty());
  }

  void readyFirstRefusesToStartInTheMiddle() {
    ExecutorOptions options;
    options.limits.startEpoch = 1;
    const Outcome outcome =
        runChain("synthetic\n" + workers(2, ", \"order\": \"ready\"") + "\nbatch\ndrain", options);
    QVERIFY(outcome.error.find("workers.order") == 0);
  }

  // Batch operations.

  void aBatchOperationRunsOnItsStagesThreads() {
    (void)takeStampThreads();
    const std::string source = "synthetic {\"count\": 40}\n";
    const Outcome inWorkers =
        runChain(source + workers(2) + "\nbatch {\"size\": 4}\nstamp\nprefetch\ndrain", epochs(2));
    QVERIFY2(inWorkers.end == RunEnd::Finished, inWorkers.error.c_str());
    for (const std::string& name : takeStampThreads())
      QVERIFY2(name.find("workers:") == 0, name.c_str());
    const Outcome behind =
        runChain(source + workers(2) + "\nbatch {\"size\": 4}\nprefetch\nstamp\ndrain", epochs(2));
    for (const std::string& name : takeStampThreads())
      QVERIFY2(name.find("workers:") != 0 && name.find("prefetch:") != 0, name.c_str());
    const Outcome between = runChain(
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
    const Outcome one = runChain(front + "shuffle\n" + mix + "drain", epochs(1));
    QVERIFY(one.end == RunEnd::Failed);  // shuffle follows a node that works on samples
    const std::string ordered =
        "synthetic {\"count\": 30, \"content\": \"image\", \"height\": 6, \"width\": 6}\nshuffle\n";
    const std::string rest = "one_hot\nnormalise\n" + mix;
    const Outcome plain = runChain(ordered + rest + "drain", epochs(2));
    QVERIFY2(plain.end == RunEnd::Finished, plain.error.c_str());
    const Outcome threads =
        runChain(ordered + workers(5) + "\n" + rest + "prefetch\ndrain", epochs(2));
    QVERIFY2(threads.end == RunEnd::Finished, threads.error.c_str());
    QVERIFY(threads.batches == plain.batches);
  }

  // Counting.

  void whatANodeCountsBesidesIsSummedOverThreads() {
    const Outcome labels = runChain(
        "synthetic {\"count\": 40, \"classes\": 4}\n" + workers(3) +
            "\none_hot {\"classes\": 2, \"unknown\": \"ignore\"}\nbatch {\"size\": 8}\ndrain",
        epochs(2));
    QVERIFY2(labels.end == RunEnd::Finished, labels.error.c_str());
    const std::vector<NamedCount>& ignored = labels.totals.nodes[2].counters;
    QCOMPARE(ignored.front().name, std::string("unknown labels ignored"));
    QVERIFY(ignored.front().count > 0 && ignored.front().count < 80);
    QCOMPARE(ignored.front().count % 2, 0U);  // the same in both epochs

    const auto counted = [](const Outcome& outcome, const std::string& name) {
      std::uint64_t sum = 0;
      for (const NodeTotals& node : outcome.totals.nodes)
        for (const NamedCount& counters : node.counters)
          if (counters.name == name) sum += counters.count;
      return sum;
    };
    std::string chain = photos(workers(2), "drain");
    const Outcome own = runChain(chain, epochs(1));
    const std::uint64_t jpegs = counted(own, "JPEG by the built-in decoder");
    QVERIFY2(jpegs > 0 && jpegs < 23, "JPEG and PNG in turns");
    chain.insert(chain.find("\"scaling\""), "\"decoder\": \"library\", ");
    const Outcome library = runChain(chain, epochs(1));
    QCOMPARE(counted(library, "JPEG by libjpeg-turbo: asked"), jpegs);
    const std::uint64_t pngs = counted(own, "PNG by the built-in decoder");
    QVERIFY(pngs > 0 && pngs < 23);
    QCOMPARE(counted(library, "PNG by libspng: asked"), pngs);
    QVERIFY(library.batches == own.batches);
  }

  void whatIsDeliveredIsCountedOnce() {
    const Outcome outcome = runChain(
        "words {\"count\": 21}\n" + workers(3) + "\ntint\nbatch {\"size\": 4}\nprefetch\ndrain",
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
