// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Real runs with one known limit: the finding must name it.
#include "core/tune/run_counters_of.h"

#include <QTemporaryDir>

#include "core/analysis/bottleneck.h"
#include "core/measure/measured_run.h"
#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

RunCounters measured(const Plan& plan) {
  const CacheSet caches = CacheSet::make(plan).take();
  MeasureSettings settings;
  settings.warmupSeconds = 0.05;
  settings.seconds = 0.4;
  settings.repeats = 1;
  RunObserver nobody;
  Result<RunResult> result = MeasuredRun(plan, caches, settings, nobody).run();
  return result ? countersOf(plan, result->repeats, {}) : RunCounters();
}

/// Removes influences of the machine that runs the tests: exactly the cores that were used exist,
/// and a consumer without a step is never late.
void onAMachineOfItsOwn(RunCounters& counters) {
  counters.cores = counters.cpuSeconds.value_or(0) / counters.seconds;
  counters.otherBusyShare = 0;
  counters.stealShare = 0;
  for (RunCounters::Stage& stage : counters.stages)
    stage.runDelaySeconds = counters.seconds * static_cast<double>(stage.threads);
  if (counters.stepShare) return;
  counters.queues.back().emptyShare = 1;
  counters.queues.back().fullShare = 0;
}

}  // namespace

class TestRunCountersOf : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QVERIFY(m_folder.isValid());
    tests::writePictures(m_folder.path().toStdString(), 60);
  }

  void aRunThatOneThingLimitsIsNamedAfterIt_data() {
    QTest::addColumn<QString>("chain");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("node");
    const QString folder = QString(R"(image_folder {"paths": ["%1"]})").arg(m_folder.path()) + "\n";
    const QString workers = QString::fromStdString(tests::workers(2)) + "\n";
    const QString end = "\nbatch {\"size\": 8}\nprefetch\n";
    QTest::newRow("reading small files")
        << folder + workers + end + "drain" << "read" << "image_folder";
    QTest::newRow("decoding") << folder + workers +
                                     "decode\ncentre_crop {\"height\": 8, \"width\": "
                                     "8}" +
                                     end + "drain"
                              << "decode" << "decode";
    QTest::newRow("augmentation")
        << "synthetic {\"content\": \"image\", \"height\": 64, \"width\": 64}\n" + workers +
               "flip\nblur {\"kernel\": 15, \"sigma_min\": 3, \"sigma_max\": 4}" + end + "drain"
        << "augmentation" << "blur";
    QTest::newRow("step") << "synthetic\n" + workers + end + "emulated_step {\"seconds\": 0.02}"
                          << "step" << "emulated_step";
  }
  void aRunThatOneThingLimitsIsNamedAfterIt() {
    QFETCH(QString, chain);
    QFETCH(QString, kind);
    QFETCH(QString, node);
    tests::PlanSettings apart;
    apart.fuse = false;
    const Result<Plan> plan = tests::planOf(chain.toStdString(), apart);
    VERIFY_OK(plan);
    RunCounters counters = measured(*plan);
    onAMachineOfItsOwn(counters);
    const LimitFinding found = findLimit(counters);
    std::string why;
    for (const LimitEvidence& evidence : found.evidence) why += evidence.meaning + " ";
    for (const LimitCause& cause : found.also)
      why += std::string(nameOf(cause.kind)) + " " + std::to_string(cause.share) + " ";
    QVERIFY2(found.confidence != Confidence::CannotTell, why.c_str());
    QCOMPARE(QString::fromUtf8(nameOf(found.limit.kind).data()), kind);
    QCOMPARE(QString::fromStdString(found.limit.node), node);
  }

  void theLayoutIsThePlans() {
    const Result<Plan> plan = tests::planOf(
        "synthetic {\"content\": \"image\"}\nworkers {\"count\": 3, \"order\": \"ready\"}\nflip\n"
        "resize {\"height\": 8, \"width\": 8}\nbatch {\"size\": 4}\nprefetch {\"batches\": 5}\n"
        "drain");
    VERIFY_OK(plan);
    const RunCounters counters = measured(*plan);
    QCOMPARE(counters.stages.size(), std::size_t{2});
    const RunCounters::Stage& region = counters.stages.front();
    QCOMPARE(region.threads, std::size_t{3});
    QVERIFY(!region.strict && !region.wholeBatches);
    QCOMPARE(QString::fromStdString(region.workers), "workers");
    QVERIFY(region.nodes.front().work == WorkKind::Read);
    QCOMPARE(QString::fromStdString(counters.queues.front().prefetch), "prefetch");
    QCOMPARE(counters.queues.front().capacity, std::size_t{5});
    QCOMPARE(counters.batchSize, std::size_t{4});
    QVERIFY(counters.cpuSeconds > 0.0 && !counters.cores);
    QVERIFY(countersOf(*plan, {}, {}).stages.empty());
  }

  void surroundingsAreReadFromTheFacts() {
    const RunSurroundings known = surroundingsOf(
        {{"cores_usable", "1.5"}, {"page_cache_resident_share", "0.25"}, {"kernel", "6"}});
    QCOMPARE(*known.cores, 1.5);
    QCOMPARE(*known.residentShare, 0.25);
    QVERIFY(!surroundingsOf({{"cores_usable", "many"}}).cores);
  }

 private:
  QTemporaryDir m_folder;
};

}  // namespace millrace

using millrace::TestRunCountersOf;
MILLRACE_TEST_CASE(TestRunCountersOf)
#include "tst_run_counters_of.moc"
