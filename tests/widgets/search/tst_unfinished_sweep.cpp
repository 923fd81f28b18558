// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "widgets/models/search/unfinished_sweep.h"

#include "core/jobs/sweep/sweep_job.h"
#include "tests/core/jobs/fake_trial.h"
#include "tests/core/jobs/job_support.h"
#include "tests/support/test_case.h"

namespace millrace {

class TestUnfinishedSweep : public QObject {
  Q_OBJECT

  struct Swept {
    std::vector<std::string> vary;
    SweepDesign design;
    std::size_t trials = 1;  ///< until it is stopped
    MeasureSettings measure;
    bool fused = true;
  };

  /// Keeps a sweep of two blocks; returns the pipeline with absolute paths.
  static Graph sweepIn(const tests::TemporaryFolder& folder, const Swept& swept) {
    Problems problems;
    auto sweep = prepareSweep(tests::steppedPipeline(), swept.vary, swept.design, false, problems);
    if (!sweep) qFatal("%s", problems.all().front().text().c_str());
    Graph graph = sweep->graph;
    SweepJobSettings settings;
    settings.pipeline = "p.millrace.json";
    settings.blocks = 2;
    settings.measure = swept.measure;
    settings.fused = swept.fused;
    settings.keep = tests::keptIn(folder);
    settings.keep.labels.experiment.clear();
    tests::FakeTrial trial;
    trial.before = [&](std::size_t n) { trial.stopped = n >= swept.trials; };
    SweepJobObserver observer;
    if (!SweepJob(std::move(*sweep), settings, trial, observer).run()) qFatal("no sweep");
    return graph;
  }

  static std::optional<UnfinishedSweep> foundIn(const tests::TemporaryFolder& folder,
                                                const Graph& graph) {
    auto store = RunStore::open(tests::keptIn(folder).file);
    if (!store) qFatal("%s", store.error().message.c_str());
    auto found = unfinishedSweep(*store, graph, builtinCatalog());
    if (!found) qFatal("%s", found.error().message.c_str());
    return found.take();
  }

 private slots:
  void aStoppedSweepIsFoundWithItsOrder() {
    const tests::TemporaryFolder folder;
    Swept swept;
    // The current setting, two threads, is measured although no axis has it.
    swept.vary = {"workers.count=1,4", "batch.size=8,16"};
    swept.trials = 8;
    swept.measure.seconds = 1.5;
    swept.measure.warmupSeconds = 0.25;
    const Graph graph = sweepIn(folder, swept);
    const auto found = foundIn(folder, graph);
    QVERIFY(found.has_value());
    QCOMPARE(found->experiment, QString("sweep of p"));
    QCOMPARE(found->of, 5);
    QCOMPARE(found->measured, 3);
    SweepOrder order;
    order.variations = {{"workers", "count", "1,4"}, {"batch", "size", "8,16"}};
    order.repeats = 2;
    order.seconds = 1.5;
    order.warmupSeconds = 0.25;
    QVERIFY(found->order == order);
  }

  void itsDesignIsKept() {
    const tests::TemporaryFolder folder;
    Swept swept;
    swept.vary = {"workers.count=1..8"};
    swept.design = {SweepDesign::Kind::Random, 3};
    const auto found = foundIn(folder, sweepIn(folder, swept));
    QVERIFY(found && found->order.design == swept.design);
    QCOMPARE(found->order.variations.front().values, std::string("1,2,3,4,5,6,7,8"));
  }

  void aCompleteSweepIsNotUnfinished() {
    const tests::TemporaryFolder folder;
    Swept swept;
    swept.vary = {"workers.count=1,2"};
    swept.trials = 100;
    QVERIFY(!foundIn(folder, sweepIn(folder, swept)));
  }

  void aSweepOfAnotherPipelineIsNotOffered() {
    const tests::TemporaryFolder folder;
    Swept swept;
    swept.vary = {"workers.count=1,2"};
    Graph graph = sweepIn(folder, swept);
    QVERIFY(foundIn(folder, graph).has_value());
    graph.seed += 1;
    QVERIFY(!foundIn(folder, graph));
  }

  /// The workbench has no fields for these.
  void whatTheWorkbenchCannotExpressIsNotOffered() {
    Swept batches;
    batches.measure.seconds.reset();
    batches.measure.batches = 10;
    Swept centred;
    centred.measure.noRandom = true;
    Swept apart;
    apart.fused = false;
    for (Swept swept : {batches, centred, apart}) {
      const tests::TemporaryFolder folder;
      swept.vary = {"workers.count=1,2"};
      QVERIFY(!foundIn(folder, sweepIn(folder, swept)));
    }
  }
};

}  // namespace millrace

using millrace::TestUnfinishedSweep;
MILLRACE_TEST_CASE(TestUnfinishedSweep)
#include "tst_unfinished_sweep.moc"
