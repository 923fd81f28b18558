// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Kinds of plug-ins in whole runs: what they make, with any number of workers, and on the emulated
// GPU.
#include <cstring>

#include "core/graph/provenance.h"
#include "core/nodes/builtin.h"
#include "tests/core/plugins/plugin_files.h"
#include "tests/core/run/run_support.h"
#include "tests/core/transfer/device_backend.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_case.h"

namespace millrace::tests {

namespace {

std::string pictures(int count) {
  return "synthetic {\"content\": \"image\", \"height\": 9, \"width\": 8, \"count\": " +
         std::to_string(count) + "}\nshuffle {}\n";
}

std::string features(int count) {
  return "synthetic {\"count\": " + std::to_string(count) + "}\nshuffle {}\n";
}

std::string loop(int count) { return workers(count) + "\nbatch {\"size\": 8}\n"; }

}  // namespace

class TestPluginRuns : public QObject {
  Q_OBJECT

  /// The same batches from both chains, which differ in one node.
  static void compare(const std::string& begin, const std::string& ours, const std::string& theirs,
                      const std::string& end, const ExecutorOptions& options = epochs(2)) {
    const Outcome wanted = runChain(begin + ours + "\n" + end, options);
    const Outcome got = runChain(begin + theirs + "\n" + end, options);
    QVERIFY2(wanted.end == RunEnd::Finished, wanted.error.c_str());
    QVERIFY2(got.end == RunEnd::Finished, got.error.c_str());
    QVERIFY(!got.batches.empty());
    QVERIFY(got.batches == wanted.batches);
  }

  /// Calls `use` with each row of the last field.
  static void eachRow(const std::string& chain, const std::function<void(const TensorView&)>& use,
                      const PlanSettings& settings = {}) {
    const auto plan = planOf(chain, settings);
    VERIFY_OK(plan);
    const CacheSet caches = CacheSet::make(*plan).take();
    const Outcome outcome = runPlan(*plan, epochs(1), caches, [&](Executor&, const Batch& batch) {
      for (std::size_t row = 0; row < batch.rows; ++row) use(batch.fields.back().row(row));
    });
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
  }

 private slots:
  void initTestCase() {
    qputenv("MILLRACE_NODES", pluginFile("kinds").c_str());
    QVERIFY2(builtinCatalog().find("test_shift") != nullptr,
             builtinCatalog().refused().empty() ? "" : builtinCatalog().refused()[0].c_str());
  }

  void theSameMathsGivesTheSameBatches() {
    const std::string end = loop(3) + "drain {}";
    compare(pictures(40), "centre_crop {\"height\": 4, \"width\": 4}", "test_centre {}", end);
    compare(pictures(40), "identity {}", "test_shift {\"by\": 0}", end);
    TemporaryFolder folder;  // Pictures of many sizes: their shapes are known by sample only.
    writePictures(folder.path(), 20);
    const std::string files =
        "image_folder {\"paths\": [\"" + folder.path().string() + "\"]}\nshuffle {}\ndecode {}\n";
    compare(files, "centre_crop {\"height\": 16, \"width\": 16}", "test_centre {\"side\": 16}",
            end);
  }

  void batchesAreTheSameForAnyNumberOfWorkers_data() {
    QTest::addColumn<QString>("nodes");
    QTest::newRow("in place") << pictures(40).c_str() + QString("test_shift {\"by\": 20}\n");
    QTest::newRow("draws") << features(40).c_str() + QString("test_sum {}\n");
    QTest::newRow("instances") << features(40).c_str() + QString("test_alone {}\n");
  }
  void batchesAreTheSameForAnyNumberOfWorkers() {
    QFETCH(QString, nodes);
    const auto run = [&](int count) {
      return runChain(nodes.toStdString() + loop(count) + "drain {}", epochs(2));
    };
    const Outcome one = run(1);
    QVERIFY2(one.end == RunEnd::Finished, one.error.c_str());
    QCOMPARE(one.batches.size(), std::size_t(10));
    QVERIFY(one.batches[0].digest != one.batches[5].digest);
    QCOMPARE(run(4).batches, one.batches);
    QCOMPARE(run(7).batches, one.batches);
  }

  void aNewFieldIsAddedWithTheDeclaredType() {
    std::set<std::int64_t> seeds;
    std::size_t count = 0;
    eachRow(features(30) + "test_sum {}\n" + loop(2) + "drain {}", [&](const TensorView& row) {
      ++count;
      QCOMPARE(row.dtype, DType::I64);
      QVERIFY(row.as<std::int64_t>()[0] > 0);
      seeds.insert(row.as<std::int64_t>()[1]);
    });
    QCOMPARE(count, std::size_t(30));
    QCOMPARE(seeds.size(), std::size_t(30));
  }

  void aSharedKindHasOneInstance() {
    std::set<std::int64_t> instances;
    eachRow(features(64) + "test_shared {}\n" + loop(4) + "drain {}",
            [&](const TensorView& row) { instances.insert(row.as<std::int64_t>()[0]); });
    QCOMPARE(instances.size(), std::size_t(1));
  }

  void sizesOfEachSampleAreAskedFor() {
    TemporaryFolder folder;
    writePictures(folder.path(), 20);
    const std::string files =
        "image_folder {\"paths\": [\"" + folder.path().string() + "\"]}\nshuffle {}\ndecode {}\n";
    // The nearest pixel of a picture that is twice as wide is the same pixel.
    const std::string resize = "resize {\"height\": 8, \"width\": 8, \"filter\": \"nearest\"}\n";
    for (const int count : {1, 3})
      compare(files, "identity {}", "test_twice {}", resize + loop(count) + "drain {}");
  }

  void aByteStringMayBecomeShorter() {
    std::size_t bytes = 0;
    std::size_t most = 0;
    eachRow("words {\"count\": 20, \"unit\": 10}\ntest_half {}\n" + loop(2) + "drain {}",
            [&](const TensorView& row) {
              bytes += row.bytes;
              most = std::max(most, row.bytes);
            });
    QCOMPARE(most, std::size_t(30));
    QVERIFY(bytes > 0);
  }

  void aKindOfBatchesChangesThemInPlace() {
    compare(pictures(40) + loop(2), "test_shift {\"by\": 31}", "test_shift_batch {\"by\": 31}",
            "drain {}");
  }

  void afterATransferItRunsOnTheGpu_data() {
    QTest::addColumn<QString>("kind");
    QTest::newRow("of samples") << "test_shift {\"by\": 31}";
    QTest::newRow("of batches") << "test_shift_batch {\"by\": 31}";
  }
  void afterATransferItRunsOnTheGpu() {
    QFETCH(QString, kind);
    const std::string begin = pictures(40) + loop(2);
    qputenv("MILLRACE_BACKEND", "cpu");
    const Outcome host = runChain(begin + "test_shift {\"by\": 31}\ndrain {}", epochs(2));
    qputenv("MILLRACE_BACKEND", "emulated");
    const Outcome device =
        runChain(begin + "transfer\n" + kind.toStdString() + "\ndrain {}", withTransfer(epochs(2)));
    qunsetenv("MILLRACE_BACKEND");
    QVERIFY2(host.end == RunEnd::Finished, host.error.c_str());
    QVERIFY2(device.end == RunEnd::Finished, device.error.c_str());
    QVERIFY(device.batches == host.batches);
  }

  void aSampleOfAnotherSizeMayBeRefused() {
    TemporaryFolder folder;
    writePictures(folder.path(), 20);
    const Outcome outcome =
        runChain("image_folder {\"paths\": [\"" + folder.path().string() +
                     "\"]}\ndecode {}\ntest_centre {\"side\": 50}\n" + loop(2) + "drain {}",
                 withFailures(epochs(1), 20));
    QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
    QVERIFY(!outcome.failures.empty() && outcome.failures.size() < 20);
    for (const FailedSample& failure : outcome.failures)
      QVERIFY2(failure.reason.find("`image` is smaller than 50") != std::string::npos,
               failure.reason.c_str());
  }

  void onTheGpuTooSizesOfEachSampleAreAskedFor() {
    TemporaryFolder folder;
    writePictures(folder.path(), 20);
    const std::string begin = "image_folder {\"paths\": [\"" + folder.path().string() +
                              "\"]}\nshuffle {}\n" + workers(2) +
                              "\ndecode {}\nbatch {\"size\": 4}\n";
    const std::string end =
        "test_twice {}\nresize {\"height\": 8, \"width\": 8, \"filter\": \"nearest\"}\ndrain {}";
    qputenv("MILLRACE_BACKEND", "cpu");
    const Outcome host = runChain(begin + end, epochs(2));
    qputenv("MILLRACE_BACKEND", "emulated");
    const Outcome device = runChain(begin + "transfer\n" + end, withTransfer(epochs(2)));
    qunsetenv("MILLRACE_BACKEND");
    QVERIFY2(host.end == RunEnd::Finished, host.error.c_str());
    QVERIFY2(device.end == RunEnd::Finished, device.error.c_str());
    QVERIFY(device.batches == host.batches);
  }

  void aKindWithoutADeviceSideIsRefusedThere() {
    qputenv("MILLRACE_BACKEND", "emulated");
    const auto plan = planOf(pictures(4) + loop(1) + "transfer\ntest_centre {}\ndrain {}");
    qunsetenv("MILLRACE_BACKEND");
    QVERIFY(!plan.ok());
    QVERIFY2(plan.error().message.find("works only on the CPU") != std::string::npos,
             plan.error().message.c_str());
  }

  /// So that a disk cache after it does not keep what an older plug-in has made.
  void theFileOfThePluginIsPartOfWhatIsDone() {
    const auto plan = planOf(pictures(4) + "test_shift {}\n" + loop(1) + "drain {}");
    VERIFY_OK(plan);
    const std::string text = provenanceOf(*plan, plan->pipeline.nodes.size() - 1);
    QVERIFY2(text.find("/kinds.so\":") != std::string::npos, text.c_str());
  }

  void whatCreateAndInferRefuseIsFoundByTheCheck() {
    const auto shift = planOf(pictures(4) + "test_shift {\"by\": 13}\n" + loop(1) + "drain {}");
    QVERIFY(!shift.ok());
    QVERIFY2(shift.error().message.find("13 is not a good by") != std::string::npos,
             shift.error().message.c_str());
    const auto centre = planOf(pictures(4) + "test_centre {\"side\": 99}\n" + loop(1) + "drain {}");
    QVERIFY(!centre.ok());
    QVERIFY2(centre.error().message.find("`image` is smaller than 99") != std::string::npos,
             centre.error().message.c_str());
    const auto fields = planOf(pictures(4) + "test_sum {}\n" + loop(1) + "drain {}");
    QVERIFY(!fields.ok());
    QVERIFY2(fields.error().message.find("there is no field to act on: none is features") !=
                 std::string::npos,
             fields.error().message.c_str());
  }
};

MILLRACE_TEST_CASE(TestPluginRuns)

}  // namespace millrace::tests

#include "tst_plugin_runs.moc"
