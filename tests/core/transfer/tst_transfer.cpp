// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Batches on a device (emulated, or with MILLRACE_TEST_BACKEND=cuda a real one): what arrives, in
// which memory, and errors.
#include <fmt/format.h>
#include <QTemporaryDir>

#include <algorithm>

#include "core/base/text/text.h"
#include "core/cuda/emulated_device.h"
#include "core/run/executor.h"
#include "tests/core/run/run_support.h"
#include "tests/core/transfer/device_backend.h"
#include "tests/support/test_case.h"

namespace millrace {

using namespace tests;  // NOLINT(google-build-using-namespace): everything here is a test

class TestTransfer : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  std::string photos(const std::string& region, const std::string& end) const {
    return fmt::format(
        "image_folder {{\"paths\": [\"{}\"]}}\nshuffle\n{}\nchaos\ndecode\n"
        "random_resized_crop {{\"height\": 24, \"width\": 20}}\nflip\n"
        "batch {{\"size\": 5}}\n{}\ndrain",
        m_folder.path().toStdString(), region, end);
  }

  static ExecutorOptions on(const std::shared_ptr<Device>& device, ExecutorOptions options) {
    options.device = device;
    return withTransfer(std::move(options));
  }

  /// Runs the chain with and without a device; the results must be equal.
  static void compareWithHost(const std::string& chain, const ExecutorOptions& options) {
    qputenv("MILLRACE_BACKEND", "cpu");
    const Outcome host = runChain(chain, options);
    qputenv("MILLRACE_BACKEND", backend());
    const Outcome device = runChain(chain, options);
    QVERIFY2(host.end == RunEnd::Finished, host.error.c_str());
    QVERIFY2(device.end == RunEnd::Finished, device.error.c_str());
    QVERIFY2(!host.batches.empty(), chain.c_str());
    QVERIFY2(device.batches == host.batches, chain.c_str());
    QCOMPARE(device.totals.failedSamples, host.totals.failedSamples);
  }

 private slots:
  void initTestCase() {
    qputenv("MILLRACE_BACKEND", backend());
    const DeviceSupport support = deviceSupport();
    if (!support.usable) QSKIP(support.reason.c_str());
    writePictures(m_folder.path().toStdString(), 23);
  }
  void init() { qputenv("MILLRACE_BACKEND", backend()); }
  void cleanup() {
    gate().open();
    qunsetenv("MILLRACE_BACKEND");
  }

  void batchesAreTheHostsForAnyNumberOfWorkers() {
    for (const int count : {0, 1, 5})
      for (const char* transfer :
           {"transfer", R"(transfer {"slots": 2, "pinned": false})",
            "prefetch\ntransfer {\"slots\": 2}\nprefetch {\"batches\": 3}"}) {
        compareWithHost(photos(count == 0 ? "" : workers(count), transfer), epochs(3));
        if (QTest::currentTestFailed()) return;
      }
  }

  void operationsOnTheDeviceGiveWhatTheCpuGives() {
    const std::string source = "synthetic {\"count\": 31}\nshuffle\n";
    for (const char* chain :
         {"batch {\"size\": 4}\ntransfer\ntint {\"amount\": 3}\ntint {\"amount\": 4}\ndrain",
          "batch {\"size\": 4}\ntransfer\nstamp\ntint\nstamp\nprefetch\ndrain",
          "batch {\"size\": 4}\ntint\ntransfer\nstamp\ndrain"}) {
      compareWithHost(source + workers(3) + "\n" + chain, epochs(2));
      if (QTest::currentTestFailed()) return;
    }
  }

  void rowsOfAnySizeGoToTheDeviceAndChangeTheirSizeThere() {
    const std::string words = "words {\"count\": 40}\nshuffle\n" + workers(4) + "\n";
    for (const char* chain : {"batch {\"size\": 6}\ntransfer\ndrain",
                              "batch {\"size\": 6}\ntransfer\ntwice\ntint\ntwice\ndrain"}) {
      compareWithHost(words + chain, epochs(2));
      if (QTest::currentTestFailed()) return;
    }
  }

  void rowsThatFailOnTheDeviceShortenOrFillTheirBatch() {
    for (const char* source : {"synthetic {\"count\": 23}\n", "words {\"count\": 23}\n"})
      for (const char* how : {"shorten", "fill"})
        for (const char* bad : {"0, 5, 11", "4, 5, 6, 7, 8, 22"}) {
          const std::string chain = fmt::format(
              "{}batch {{\"size\": 4, \"on_failure\": \"{}\"}}\ntransfer\ntint\n"
              "broken {{\"samples\": [{}]}}\nstamp\ntint\ndrain",
              source, how, bad);
          compareWithHost(chain, withFailures(epochs(2), 10));
          if (QTest::currentTestFailed()) return;
        }
  }

  void tooManyFailuresOnTheDeviceEndTheRun() {
    const Outcome outcome =
        runChain("synthetic\nbatch {\"size\": 4}\ntransfer\nbroken {\"samples\": [1, 2, 3]}\ndrain",
                 withFailures(epochs(2), 2));
    QCOMPARE(outcome.end, RunEnd::Failed);
    QVERIFY2(outcome.error.find("broken") != std::string::npos, outcome.error.c_str());
  }

  void aRunResumesInTheMiddle() {
    ExecutorOptions options = epochs(3);
    options.limits.startEpoch = 1;
    options.limits.startBatch = 2;
    compareWithHost(photos(workers(3), "transfer\nprefetch"), options);
  }

  void aSteadyStateTakesNoMemory() {
    const std::shared_ptr<Device> device = makeEmulatedDevice();
    const Result<Plan> plan =
        planOf("synthetic {\"count\": 64}\n" + workers(2) +
               "\nbatch {\"size\": 4}\nprefetch\ntransfer {\"slots\": 2}\ntint\ndrain");
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message.c_str());
    std::vector<std::uint64_t> taken;
    const auto caches = CacheSet::make(*plan);
    const Outcome outcome =
        runPlan(*plan, on(device, batches(60)), *caches, [&](Executor&, const Batch& batch) {
          QCOMPARE(batch.place, Place::Device);
          taken.push_back(device->deviceTotals().allocations + device->pinnedTotals().allocations);
        });
    QCOMPARE(outcome.end, RunEnd::Finished);
    QCOMPARE(taken.back(), taken[10]);
    QCOMPARE(device->deviceTotals().usedBytes, std::size_t{0});
    QCOMPARE(device->pinnedTotals().usedBytes, std::size_t{0});
    QVERIFY(device->pinnedTotals().peakBytes >= plan->queues[0].batchBytes);
  }

  void theTransferCountsItsBytesAndTheNodesBehindItTheirTime() {
    const Result<Plan> plan =
        planOf("synthetic {\"count\": 64}\nbatch {\"size\": 4}\ntransfer\ntint\ndrain");
    QVERIFY(plan.ok());
    const Outcome outcome = runPlan(*plan, batches(12));
    QCOMPARE(outcome.end, RunEnd::Finished);
    const NodeTotals& transfer = outcome.totals.nodes[2];
    const NodeTotals& tint = outcome.totals.nodes[3];
    // What is still in flight at the end is not counted.
    QVERIFY(transfer.items >= 8 && transfer.items <= 12);
    QCOMPARE(transfer.bytesOut, transfer.items * plan->queues[0].batchBytes);
    QCOMPARE(transfer.timedItems, transfer.items);
    QCOMPARE(tint.items, transfer.items);
    QVERIFY(tint.timedNs > 0);
  }

  void aLiveParameterReachesTheDevice() {
    const Result<Plan> plan =
        planOf("words {\"count\": 64}\nbatch {\"size\": 4}\ntransfer\ntint {\"amount\": 1}\ndrain");
    QVERIFY(plan.ok());
    const auto caches = CacheSet::make(*plan);
    bool first = true;
    Outcome outcome = runPlan(*plan, batches(32), *caches, [&](Executor& executor, const Batch&) {
      if (std::exchange(first, false)) QVERIFY(executor.set("tint", "amount", "9").ok());
    });
    QCOMPARE(outcome.end, RunEnd::Finished);
    const Outcome still = runPlan(*plan, batches(32));
    QVERIFY(outcome.batches.front() == still.batches.front());
    QVERIFY(!(outcome.batches.back() == still.batches.back()));
  }

  void stopDrainsAndCancelDrops() {
    for (const bool cancels : {false, true}) {
      const Result<Plan> plan = planOf("synthetic {\"count\": 64}\n" + workers(3) +
                                       "\nbatch {\"size\": 4}\nprefetch\ntransfer\ntint\ndrain");
      QVERIFY(plan.ok());
      const auto caches = CacheSet::make(*plan);
      int seenBatches = 0;
      const Outcome outcome =
          runPlan(*plan, withTransfer({}), *caches, [&](Executor& executor, const Batch&) {
            if (++seenBatches != 20) return;
            if (cancels)
              executor.cancel();
            else
              executor.stop();
          });
      QCOMPARE(outcome.end, RunEnd::Stopped);
      QVERIFY(seenBatches >= 20);
    }
  }

  void tooLittleMemoryIsAnErrorThatOffersLess() {
    EmulatedOptions options;
    options.pinnedBytes = 3000;
    const std::string chain =
        "synthetic {\"content\": \"image\", \"height\": 16, \"width\": 16}\nbatch {\"size\": "
        "4}\nprefetch\ntransfer\ndrain";
    const Result<Plan> plan = planOf(chain);
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message.c_str());
    const Outcome pinned = runPlan(*plan, on(makeEmulatedDevice(options), epochs(1)));
    QCOMPARE(pinned.end, RunEnd::Failed);
    for (const char* part :
         {"transfer: ", "pinned memory", "prefetch.batches", "batch.size", "transfer.pinned"})
      QVERIFY2(pinned.error.find(part) != std::string::npos, pinned.error.c_str());

    // Before the run begins.
    options = {};
    options.deviceBytes = 5000;
    const std::shared_ptr<Device> small = makeEmulatedDevice(options);
    const auto caches = CacheSet::make(*plan);
    const auto device = Executor::make(*plan, *caches, on(small, epochs(1)));
    QVERIFY(!device.ok());
    const std::string& error = device.error().message;
    for (const char* part :
         {"transfer: ", "only 1 of 3 slots fit on the GPU", "device memory", "slots", "batch.size"})
      QVERIFY2(error.find(part) != std::string::npos, error.c_str());
    QCOMPARE(small->deviceTotals().usedBytes, std::size_t{0});
    QCOMPARE(small->deviceTotals().heldBytes, std::size_t{0});
    QCOMPARE(small->pinnedTotals().heldBytes, std::size_t{0});
  }

  /// Meanwhile the transfer waits for a slot, so only the step can notice it.
  void aDeviceThatFaultsEndsALongStep() {
    EmulatedOptions options;
    options.operationsUntilFault = 50;
    const Result<Plan> plan = planOf(
        "synthetic {\"count\": 64}\nbatch {\"size\": 4}\nprefetch\ntransfer\n"
        "emulated_step {\"seconds\": 600}");
    QVERIFY2(plan.ok(), plan.ok() ? "" : plan.error().message.c_str());
    const auto caches = CacheSet::make(*plan);
    auto executor = Executor::make(*plan, *caches, on(makeEmulatedDevice(options), {}));
    QVERIFY2(executor.ok(), executor.ok() ? "" : executor.error().message.c_str());
    QCOMPARE((*executor)->run([](const Batch&, const auto&) { return true; }), RunEnd::Failed);
    const std::string& error = (*executor)->error().message;
    QVERIFY2(error.find("the device has faulted") != std::string::npos, error.c_str());
  }

  void aDeviceThatFaultsEndsTheRunWithTheStageNamed() {
    for (const std::uint64_t operations : {0, 7, 40}) {
      EmulatedOptions options;
      options.operationsUntilFault = operations;
      const Result<Plan> plan = planOf("synthetic {\"count\": 64}\n" + workers(2) +
                                       "\nbatch {\"size\": 4}\nprefetch\ntransfer\ntint\ndrain");
      QVERIFY(plan.ok());
      const auto caches = CacheSet::make(*plan);
      const std::shared_ptr<Device> device = makeEmulatedDevice(options);
      auto executor = Executor::make(*plan, *caches, on(device, {}));
      std::string error;
      if (executor) {
        const RunEnd end = (*executor)->run([](const Batch&, const auto&) { return true; });
        QCOMPARE(end, RunEnd::Failed);
        error = (*executor)->error().message;
        executor.value().reset();
      } else {
        error = executor.error().message;
      }
      QVERIFY2(error.find("transfer: ") == 0, error.c_str());
      QVERIFY2(error.find("the device has faulted") != std::string::npos, error.c_str());
      // Another program, or another library in this one, may need the memory.
      QCOMPARE(device->deviceTotals().heldBytes, std::size_t{0});
      QCOMPARE(device->pinnedTotals().heldBytes, std::size_t{0});
    }
  }

  void thePlanSaysWhereBatchesLie() {
    const Result<Plan> plan =
        planOf("synthetic\n" + workers(2) + "\nbatch\nprefetch\ntransfer\ntint\nstamp\ndrain");
    QVERIFY(plan.ok());
    const std::string text = join(plan->text(), "\n");
    for (const char* part : {"stage transfer: 1 thread: copy to the GPU, tint, stamp", ", pinned",
                             "queue transfer: up to 2 finished batches, 3 slots", "GPU memory"})
      QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    QCOMPARE(plan->node(4).in.place, Place::Pinned);
    QCOMPARE(plan->node(4).out.place, Place::Device);
    QCOMPARE(plan->node(2).out.place, Place::Pinned);
    QCOMPARE(plan->node(7).in.place, Place::Device);
  }

  void withoutADeviceTheTransferHandsBatchesOn() {
    qputenv("MILLRACE_BACKEND", "cpu");
    const std::string region = workers(2) + "\nbatch\n";
    const Result<Plan> plain = planOf("synthetic\n" + region + "prefetch\ndrain");
    const Result<Plan> plan = planOf("synthetic\n" + region + "prefetch\ntransfer\ndrain");
    QVERIFY(plan.ok());
    QCOMPARE(plan->stages.size(), plain->stages.size());
    QCOMPARE(plan->node(5).in.place, Place::Host);
    // Nodes after the transfer are not in the region.
    const Outcome outcome = runChain("synthetic\n" + region + "transfer\nstamp\ndrain", epochs(1));
    QCOMPARE(outcome.end, RunEnd::Finished);
    for (const std::string& thread : takeStampThreads())
      QVERIFY2(thread.find("workers") == std::string::npos, thread.c_str());
  }

  void whatCannotRunOnTheDeviceIsRefused_data() {
    QTest::addColumn<QString>("chain");
    QTest::addColumn<QString>("backend");
    QTest::addColumn<QString>("message");
    const auto row = [](const char* name, const char* chain, const char* backend,
                        const char* message) {
      QTest::newRow(name) << chain << backend << message;
    };
    row("gpu without one", "batch\ntransfer {\"place\": \"gpu\"}\ndrain", "cpu",
        "a GPU is required, but MILLRACE_BACKEND=cpu forbids the GPU");
    row("no device side", "batch\ntransfer\nlaps\ndrain", "emulated",
        "works only on the CPU, but after `transfer` batches are on the GPU");
    row("threads behind", "batch\ntransfer\nworkers\ntint\ndrain", "emulated",
        "starts CPU threads");
    row("two", "batch\ntransfer\ntransfer\ndrain", "emulated", "already on the GPU");
    row("samples", "transfer\nbatch\ndrain", "emulated", "moves whole batches");
    row("wrong backend", "batch\ntransfer {\"place\": \"gpu\"}\ndrain", "metal",
        "MILLRACE_BACKEND is `metal`");
  }

  void whatCannotRunOnTheDeviceIsRefused() {
    QFETCH(QString, chain);
    QFETCH(QString, backend);
    QFETCH(QString, message);
    qputenv("MILLRACE_BACKEND", backend.toUtf8());
    const Result<Plan> plan = planOf("synthetic\n" + chain.toStdString());
    QVERIFY(!plan.ok());
    QVERIFY2(plan.error().message.find(message.toStdString()) != std::string::npos,
             plan.error().message.c_str());
    QVERIFY2(plan.error().message.find(";") != std::string::npos, "there is a remedy");
  }
};

}  // namespace millrace

using millrace::TestTransfer;
MILLRACE_TEST_CASE(TestTransfer)
#include "tst_transfer.moc"
