// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/probe_plans.h"

#include <QTemporaryDir>

#include "tests/core/run/run_support.h"
#include "tests/support/test_case.h"

namespace millrace {

namespace {

QString nodesOf(const Plan& plan) {
  QStringList ids;
  for (const CheckedNode& node : plan.pipeline.nodes)
    ids << QString::fromStdString(node.spec->kind);
  return ids.join(" ");
}

const ProbePlan* find(const ProbePlans& plans, Probe probe) {
  for (const ProbePlan& plan : plans.plans)
    if (plan.probe == probe) return &plan;
  return nullptr;
}

}  // namespace

class TestProbePlans : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { tests::writePictures(m_folder.path().toStdString(), 12); }

  void eachLeavesItsPartOut() {
    const Plan plan = pictures("resize {\"height\": 16, \"width\": 16}\nflip\n",
                               "mixup\nprefetch\nemulated_step {\"seconds\": 0.01}");
    const ProbePlans probes = probePlans(plan, {});
    QVERIFY(probes.leftOut.empty());
    const auto nodes = [&](Probe probe) {
      const ProbePlan* made = find(probes, probe);
      return made == nullptr ? QString() : nodesOf(made->plan);
    };
    QCOMPARE(nodes(Probe::SourceAlone), "image_folder shuffle workers batch prefetch drain");
    QCOMPARE(nodes(Probe::ToDecode),
             "image_folder shuffle workers decode resize batch prefetch drain");
    QCOMPARE(nodes(Probe::ToBatch),
             "image_folder shuffle workers decode resize flip precision one_hot batch prefetch "
             "drain");
    QCOMPARE(nodes(Probe::WithoutStep),
             "image_folder shuffle workers decode resize flip precision one_hot batch mixup "
             "prefetch drain");
    QVERIFY(
        nodes(Probe::FromMemory).startsWith("image_folder shuffle workers memory_cache decode"));
    QCOMPARE(nodes(Probe::NodesApart), nodesOf(plan));
  }

  void moreReadersAndTheAdvisedCacheAreTriedOnDemand() {
    const Plan plan = pictures("resize {\"height\": 16, \"width\": 16}\nflip\n", "prefetch\ndrain");
    QVERIFY(find(probePlans(plan, {}), Probe::MoreReaders) == nullptr);
    QVERIFY(find(probePlans(plan, {}), Probe::FromCache) == nullptr);
    ProbeOptions options;
    options.moreReaders = true;
    options.cache = CachePoint{"resize", 1e6, true};
    const ProbePlans probes = probePlans(plan, options);
    const ProbePlan* readers = find(probes, Probe::MoreReaders);
    QVERIFY(readers != nullptr);
    QCOMPARE(nodesOf(readers->plan), "image_folder shuffle workers batch prefetch drain");
    QCOMPARE(readers->plan.stages.front().threads, std::size_t{4});
    const ProbePlan* cached = find(probes, Probe::FromCache);
    QVERIFY(cached != nullptr);
    QVERIFY(nodesOf(cached->plan)
                .startsWith("image_folder shuffle workers decode resize memory_cache flip"));
    QCOMPARE(QString::fromStdString(cached->cacheAfter), "resize");
    QCOMPARE(QString::fromStdString(find(probes, Probe::FromMemory)->cacheAfter), "workers");
    // The run from memory already has its cache where one for encoded samples would be.
    options.cache = CachePoint{"workers", 1e6, false};
    QVERIFY(find(probePlans(plan, options), Probe::FromCache) == nullptr);
  }

  void everyProbeRuns() {
    const Plan plan = pictures("random_crop {\"height\": 16, \"width\": 16}\nflip\n",
                               "prefetch\n"
                               "drain");
    ProbeOptions options;
    options.memorySamples = 5;
    options.moreReaders = true;
    const ProbePlans probes = probePlans(plan, options);
    QCOMPARE(probes.plans.size(), std::size_t{5});  // no step, no work after the batch
    for (const ProbePlan& probe : probes.plans) {
      const CacheSet caches = CacheSet::make(probe.plan).take();
      const tests::Outcome outcome = tests::runPlan(probe.plan, tests::epochs(2), caches);
      QVERIFY2(outcome.end == RunEnd::Finished, outcome.error.c_str());
      const std::uint64_t epoch = probe.probe == Probe::FromMemory ? 5 : 12;
      QCOMPARE(outcome.totals.samples, 2 * epoch);
    }
  }

  void aPipelineWithACacheOfItsOwnIsNotCut() {
    const Plan plan = pictures("resize {\"height\": 16, \"width\": 16}\nmemory_cache\n",
                               "prefetch\nemulated_step {\"seconds\": 0.01}");
    const ProbePlans probes = probePlans(plan, {});
    QCOMPARE(probes.plans.size(), std::size_t{1});
    QVERIFY(probes.plans.front().probe == Probe::WithoutStep);
    QVERIFY(!probes.leftOut.empty());
    QVERIFY(!cachePointOf(plan, 1e9, 1000.0));
  }

  void aCacheFitsInFrontOfTheFirstDraw() {
    const Plan plan = pictures("resize {\"height\": 16, \"width\": 16}\nflip\n", "prefetch\ndrain");
    const auto decoded = cachePointOf(plan, 1e9, 1000.0);
    QVERIFY(decoded && decoded->decoded);
    QCOMPARE(QString::fromStdString(decoded->node), "resize");
    QVERIFY(decoded->bytes >= 12 * 16 * 16 * 3 && decoded->bytes < 12 * 16 * 16 * 3 + 12 * 512);
    // The samples read so far may have been the smaller ones.
    const auto encoded = cachePointOf(plan, 12 * 800, 400.0);
    QVERIFY(encoded && !encoded->decoded);
    QVERIFY(encoded->bytes > 12 * 1.05 * (400 + 256));
    QCOMPARE(QString::fromStdString(encoded->node), "workers");
    QVERIFY(!cachePointOf(plan, 12 * 800, {}));
    QVERIFY(!cachePointOf(plan, 100, 400.0));
  }

  void whatGivesOneSizeCanPassTheColoursInFrontOfIt() {
    const auto moves = [&](const char* work) {
      QStringList words;
      for (const MovePoint& move : movePointsOf(pictures(work, "prefetch\ndrain")))
        words << QString::fromStdString(move.node + " before " + move.passed.front());
      return words.join(", ");
    };
    const std::string crop = "random_crop {\"height\": 16, \"width\": 16}\n";
    QCOMPARE(moves(("jitter\nchannel_shift\n" + crop).c_str()), "random_crop before jitter");
    QCOMPARE(moves((crop + "jitter\n").c_str()), "");
    QCOMPARE(moves(("jitter\naffine {\"rotation\": 9}\n" + crop).c_str()), "");
    QCOMPARE(moves("jitter\nflip\nresize {\"height\": 16, \"width\": 16}\n"), "");
  }

 private:
  Plan pictures(const char* work, const char* end) const {
    const std::string chain = "image_folder {\"paths\": [\"" + m_folder.path().toStdString() +
                              "\"]}\nshuffle\n" + tests::workers(2) + "\ndecode\n" + work +
                              "precision\none_hot\nbatch {\"size\": 4}\n" + end;
    Result<Plan> plan = tests::planOf(chain);
    if (!plan) qWarning("%s", plan.error().message.c_str());
    return plan.take();
  }

  QTemporaryDir m_folder;
};

}  // namespace millrace

using millrace::TestProbePlans;
MILLRACE_TEST_CASE(TestProbePlans)
#include "tst_probe_plans.moc"
