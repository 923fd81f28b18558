// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/gathered_figures.h"

#include "tests/support/test_case.h"

namespace millrace {

namespace {

SpanFigures rankOf(std::uint64_t samples, double seconds) {
  SpanFigures figures;
  figures.samples = samples;
  figures.batches = samples / 10;
  figures.seconds = seconds;
  figures.samplesPerSecond.mean = static_cast<double>(samples) / seconds;
  figures.batchesPerSecond.mean = static_cast<double>(samples) / 10 / seconds;
  figures.cpuSecondsPer1000Samples = 1;
  figures.peakRssBytes = 1000;
  figures.stepShare = 0.5;
  figures.windows = {{0, 1, 10, 1}};
  figures.samplesPerSecond.windows = 1;
  NodeFigures node;
  node.id = "decode";
  node.items = samples;
  node.busySeconds = 2;
  node.p95Ms = 3;
  figures.nodes = {node};
  QueueFigures queue;
  queue.id = "prefetch";
  queue.capacity = 2;
  queue.meanFill = 1;
  queue.emptyShare = 0.2;
  figures.queues = {queue};
  StageFigures stage;
  stage.id = "workers";
  stage.threads = 2;
  stage.cpuSeconds = 1.5;
  figures.stages = {stage};
  return figures;
}

SnapshotEvent snapshotOf(std::uint64_t samples, double seconds) {
  SnapshotEvent event;
  event.phase.repeat = 1;
  event.samples = samples;
  event.seconds = seconds;
  event.stepSeconds = seconds / 2;
  event.cpuSeconds = 1;
  event.rssBytes = 100;
  event.nodes = {{"decode", samples, 1, 10, 0.5, 1.0}};
  event.queues = {{"prefetch", 1, samples, 4, 1, 2, 3}};
  event.cores = {{3, 5, 8}};
  return event;
}

}  // namespace

class TestGatheredFigures : public QObject {
  Q_OBJECT
 private slots:
  void aTrainingIsGatheredWhereEveryRankTrains() {
    SpanFigures first = rankOf(100, 2);
    SpanFigures second = first;
    first.training = TrainingFigures{10, 2, 4, 1, 0, 2.5, 1.0, 1024, "some libraries"};
    QVERIFY(!gatherRepeat({first, second}).training);
    second.training = TrainingFigures{12, 4, 6, 3, 2, 2.5, 2.0, 512, "some libraries"};
    const TrainingFigures both = gatherRepeat({first, second}).training.value();
    QCOMPARE(both.steps, 12U);
    QCOMPARE(both.forwardMs, 3.0);
    QCOMPARE(both.backwardMs, 5.0);
    QCOMPARE(both.updateMs, 2.0);
    QCOMPARE(both.skippedUpdates, 2U);
    QCOMPARE(both.loss, 1.5);
    QCOMPARE(both.lossScale, 512.0);
    QCOMPARE(both.libraries, "some libraries");
  }

  void ratesAndCountsAreSumsAndTheTimeIsTheLongest() {
    const SpanFigures all = gatherRepeat({rankOf(100, 2), rankOf(300, 3)});
    QCOMPARE(all.samples, 400U);
    QCOMPARE(all.batches, 40U);
    QCOMPARE(all.seconds, 3.0);
    QCOMPARE(*all.samplesPerSecond.mean, 150.0);
    QCOMPARE(*all.batchesPerSecond.mean, 15.0);
    QCOMPARE(*all.peakRssBytes, 2000U);
  }

  void trainingInLockstepHasTheSlowestRateOfAll() {
    QCOMPARE(
        *gatherRepeat({rankOf(100, 2), rankOf(300, 3), rankOf(90, 1)}).lockstepSamplesPerSecond,
        150.0);
  }

  void theLockstepRateOfARunIsTheMeanOfItsRepeats() {
    const SpanFigures first = gatherRepeat({rankOf(100, 1), rankOf(200, 1)});
    const SpanFigures second = gatherRepeat({rankOf(400, 1), rankOf(300, 1)});
    QCOMPARE(*combineRepeats({first, second}).lockstepSamplesPerSecond, 400.0);
  }

  void timePerSampleIsWeightedBySamples() {
    SpanFigures few = rankOf(100, 1);
    few.cpuSecondsPer1000Samples = 5;
    QCOMPARE(*gatherRepeat({few, rankOf(300, 1)}).cpuSecondsPer1000Samples, 2.0);
  }

  void nodesAndStagesAreSumsAndQueuesMeans() {
    SpanFigures other = rankOf(300, 3);
    other.queues[0].meanFill = 2;
    other.queues[0].emptyShare = 0.4;
    const SpanFigures all = gatherRepeat({rankOf(100, 2), other});
    QCOMPARE(*all.nodes[0].items, 400U);
    QCOMPARE(*all.nodes[0].busySeconds, 4.0);
    QCOMPARE(*all.nodes[0].meanMs, 10.0);
    QCOMPARE(all.stages[0].threads, 4U);
    QCOMPARE(*all.stages[0].cpuSeconds, 3.0);
    QCOMPARE(all.queues[0].capacity, 2U);
    QCOMPARE(*all.queues[0].meanFill, 1.5);
    QVERIFY(qFuzzyCompare(*all.queues[0].emptyShare, 0.3));
  }

  void whatOneRankDoesNotKnowIsAbsent() {
    SpanFigures other = rankOf(300, 3);
    other.stepShare.reset();
    other.nodes[0].busySeconds.reset();
    other.queues[0].meanFill.reset();
    const SpanFigures all = gatherRepeat({rankOf(100, 2), other});
    QVERIFY(!all.stepShare && !all.nodes[0].busySeconds && !all.nodes[0].meanMs);
    QVERIFY(!all.queues[0].meanFill);
    QVERIFY(all.queues[0].emptyShare.has_value());
    QVERIFY(!all.nodes[0].cpuSeconds && !all.accelerator && !all.throttles);
  }

  void whatCannotBeToldFromTheirsIsAbsent() {
    SpanFigures one = rankOf(100, 2);
    one.waitP95Ms = 1;
    one.otherBusyShare = 0.4;
    one.interCoreLatencyChange = 0.1;
    const SpanFigures all = gatherRepeat({one, one});
    QVERIFY(all.windows.empty() && !all.samplesPerSecond.median && !all.nodes[0].p95Ms);
    QVERIFY(!all.waitP95Ms && !all.otherBusyShare && !all.interCoreLatencyChange);
  }

  void tablesOfOtherNodesAreLeftOut() {
    SpanFigures other = rankOf(300, 3);
    other.nodes[0].id = "resize";
    const SpanFigures all = gatherRepeat({rankOf(100, 2), other});
    QVERIFY(all.nodes.empty());
    QCOMPARE(all.queues.size(), std::size_t{1});
  }

  void acceleratorsAreMeansUnderAllTheirNames() {
    SpanFigures one = rankOf(1, 1);
    one.accelerator.emplace();
    one.accelerator->name = "A";
    one.accelerator->values.utilisation = 0.2;
    SpanFigures other = one;
    other.accelerator->name = "B";
    other.accelerator->values.utilisation = 0.6;
    const SpanFigures all = gatherRepeat({one, other, one});
    QCOMPARE(all.accelerator->name, std::string("A, B"));
    QVERIFY(qFuzzyCompare(*all.accelerator->values.utilisation, 1.0 / 3));
  }

  void aSnapshotOfAllCountsOnWhereRanksDo() {
    SnapshotEvent late = snapshotOf(300, 2);
    late.queues[0].fill = 2;
    SnapshotEvent first = snapshotOf(100, 1);
    first.flows[Flow::DiskRead] = 500;
    first.flows[Flow::ProcessRead] = 30;
    late.flows[Flow::DiskRead] = 510;
    late.flows[Flow::ProcessRead] = 12;
    const RunSnapshot all = gatherSnapshots({first, late});
    // Both see the same disks; each reads for itself.
    QCOMPARE(all.host.flows[Flow::DiskRead], std::optional<std::uint64_t>(500));
    QCOMPARE(all.host.flows[Flow::ProcessRead], std::optional<std::uint64_t>(42));
    QVERIFY(!all.host.flows[Flow::NetworkSent]);
    QCOMPARE(all.phase.repeat, std::size_t{1});
    QCOMPARE(all.totals.samples, 400U);
    QCOMPARE(all.seconds, 1.5);
    QCOMPARE(all.totals.stepSeconds, 0.75);
    QCOMPARE(all.host.cpuSeconds, 2.0);
    QCOMPARE(*all.host.memory.rssBytes, 200U);
    QCOMPARE(all.totals.nodes[0].items, 400U);
    QVERIFY(qFuzzyCompare(all.totals.nodes[0].busySeconds(), 1.0));
    QCOMPARE(all.totals.queues[0].batches, 400U);
    QCOMPARE(all.totals.queues[0].emptySeconds, 1.0);
    QCOMPARE(all.totals.queues[0].fillSeconds, 3.0);
    QCOMPARE(all.totals.queues[0].fill, std::size_t{2});
    QCOMPARE(all.host.machine->cores[0].core, 3);
    QCOMPARE(all.host.machine->cores[0].busy(), 5.0);
    QCOMPARE(all.host.machine->cores[0].total(), 8.0);
  }

  void theSpreadNamesTheRanksThatLieFurthestApart() {
    const auto spread = spreadOf({{0, "", rankOf(100, 1)}, {1, "", rankOf(88, 1)}, {2, "", {}}});
    QCOMPARE(spread->slowest, std::int64_t{1});
    QCOMPARE(spread->fastest, std::int64_t{0});
    QVERIFY(qFuzzyCompare(spread->slowerBy, 0.12));
    QVERIFY(!spreadOf({{0, "", rankOf(100, 1)}, {1, "", {}}}));
  }
};

}  // namespace millrace

using millrace::TestGatheredFigures;
MILLRACE_TEST_CASE(TestGatheredFigures)
#include "tst_gathered_figures.moc"
