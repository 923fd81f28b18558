// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/gathered_figures.h"

#include <algorithm>
#include <cmath>

#include "core/base/text/text.h"
#include "core/monitor/traffic.h"

namespace millrace {

namespace {

/// Adds `more` to `sum`; once one rank's value is absent the sum is absent.
template <class T>
void addKnown(std::optional<T>& sum, const std::optional<T>& more) {
  if (sum && more)
    *sum += *more;
  else
    sum.reset();
}

using RankFigure = std::optional<double> SpanFigures::*;

/// Mean over the ranks, each weighted by its `weight`.
template <class F>
std::optional<double> weightedMean(const std::vector<SpanFigures>& ranks, RankFigure figure,
                                   F weight) {
  double sum = 0;
  double weights = 0;
  for (const SpanFigures& rank : ranks) {
    if (!(rank.*figure)) return std::nullopt;
    sum += *(rank.*figure) * weight(rank);
    weights += weight(rank);
  }
  if (weights <= 0) return std::nullopt;
  return sum / weights;
}

template <class Figures>
bool sameIds(const std::vector<Figures>& a, const std::vector<Figures>& b) {
  return std::ranges::equal(a, b, {}, &Figures::id, &Figures::id);
}

void addNodes(std::vector<NodeFigures>& sum, const std::vector<NodeFigures>& rank) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    NodeFigures& to = sum[i];
    const NodeFigures& from = rank[i];
    addKnown(to.items, from.items);
    addKnown(to.bytesIn, from.bytesIn);
    addKnown(to.bytesOut, from.bytesOut);
    addKnown(to.failed, from.failed);
    addKnown(to.busySeconds, from.busySeconds);
    addKnown(to.cpuSeconds, from.cpuSeconds);
    to.service += from.service;
  }
}

std::vector<NodeFigures> gatherNodes(const std::vector<SpanFigures>& ranks) {
  std::vector<NodeFigures> sum = ranks.front().nodes;
  for (std::size_t r = 1; r < ranks.size(); ++r) {
    if (!sameIds(sum, ranks[r].nodes)) return {};
    addNodes(sum, ranks[r].nodes);
  }
  for (NodeFigures& node : sum) {
    node.counters.clear();
    node.p95Ms.reset();
    node.meanMs.reset();
    if (node.busySeconds && node.items.value_or(0) > 0)
      node.meanMs = *node.busySeconds * 1e3 / static_cast<double>(*node.items);
  }
  return sum;
}

std::vector<QueueFigures> gatherQueues(const std::vector<SpanFigures>& ranks) {
  std::vector<QueueFigures> mean = ranks.front().queues;
  for (std::size_t r = 1; r < ranks.size(); ++r)
    if (!sameIds(mean, ranks[r].queues)) return {};
  for (const auto member : {&QueueFigures::meanFill, &QueueFigures::emptyShare,
                            &QueueFigures::fullShare, &QueueFigures::readerWaitSeconds,
                            &QueueFigures::writerWaitSeconds, &QueueFigures::headOfLineSeconds})
    for (std::size_t q = 0; q < mean.size(); ++q) {
      std::optional<double>& to = mean[q].*member;
      for (std::size_t r = 1; r < ranks.size(); ++r) addKnown(to, ranks[r].queues[q].*member);
      if (to) *to /= static_cast<double>(ranks.size());
    }
  return mean;
}

std::vector<StageFigures> gatherStages(const std::vector<SpanFigures>& ranks) {
  std::vector<StageFigures> sum = ranks.front().stages;
  for (std::size_t r = 1; r < ranks.size(); ++r) {
    if (!sameIds(sum, ranks[r].stages)) return {};
    for (std::size_t s = 0; s < sum.size(); ++s) {
      const StageFigures& from = ranks[r].stages[s];
      sum[s].threads += from.threads;
      addKnown(sum[s].cpuSeconds, from.cpuSeconds);
      addKnown(sum[s].runDelaySeconds, from.runDelaySeconds);
      addKnown(sum[s].betweenSeconds, from.betweenSeconds);
    }
  }
  return sum;
}

std::optional<GpuFigures> gatherGpus(const std::vector<SpanFigures>& ranks) {
  std::vector<GpuFigures> gpus;
  std::vector<std::string> names;
  for (const SpanFigures& rank : ranks) {
    if (!rank.accelerator) continue;
    gpus.push_back(*rank.accelerator);
    if (std::ranges::find(names, gpus.back().name) == names.end())
      names.push_back(gpus.back().name);
  }
  std::optional<GpuFigures> mean = combineGpu(gpus);
  if (mean) mean->name = join(names, ", ");
  return mean;
}

/// Means over the ranks that train: they make the same number of steps until the first one ends.
std::optional<TrainingFigures> gatherTraining(const std::vector<SpanFigures>& ranks) {
  const auto trains = [](const SpanFigures& rank) { return rank.training.has_value(); };
  if (!std::ranges::all_of(ranks, trains)) return std::nullopt;
  TrainingFigures all = *ranks.front().training;
  const auto share = 1 / static_cast<double>(ranks.size());
  for (double TrainingFigures::* const mean :
       {&TrainingFigures::forwardMs, &TrainingFigures::backwardMs, &TrainingFigures::updateMs,
        &TrainingFigures::firstLoss, &TrainingFigures::loss}) {
    all.*mean = 0;
    for (const SpanFigures& rank : ranks) all.*mean += share * (*rank.training).*mean;
  }
  for (const SpanFigures& rank : ranks) {
    all.steps = std::max(all.steps, rank.training->steps);
    all.skippedUpdates = std::max(all.skippedUpdates, rank.training->skippedUpdates);
    all.lossScale = std::min(all.lossScale, rank.training->lossScale);
  }
  return all;
}

/// Sums, and figures computed from sums.
void gatherCounts(SpanFigures& all, const std::vector<SpanFigures>& ranks) {
  all.samplesPerSecond.mean = 0;
  all.batchesPerSecond.mean = 0;
  all.inputBytesPerSecond = 0;
  all.peakRssBytes = 0;
  all.majorFaults = 0;
  std::optional<double> slowest;
  for (const SpanFigures& rank : ranks) {
    all.samples += rank.samples;
    all.batches += rank.batches;
    all.failedSamples += rank.failedSamples;
    all.seconds = std::max(all.seconds, rank.seconds);
    addKnown(all.samplesPerSecond.mean, rank.samplesPerSecond.mean);
    addKnown(all.batchesPerSecond.mean, rank.batchesPerSecond.mean);
    addKnown(all.inputBytesPerSecond, rank.inputBytesPerSecond);
    addKnown(all.peakRssBytes, rank.peakRssBytes);
    addKnown(all.majorFaults, rank.majorFaults);
    const double rate = rank.samplesPerSecond.mean.value_or(0);
    slowest = std::min(slowest.value_or(rate), rate);
  }
  if (all.samplesPerSecond.mean)
    all.lockstepSamplesPerSecond = *slowest * static_cast<double>(ranks.size());
}

double meanOver(const std::vector<SnapshotEvent>& ranks, double SnapshotEvent::* value) {
  double sum = 0;
  for (const SnapshotEvent& rank : ranks) sum += rank.*value;
  return sum / static_cast<double>(ranks.size());
}

NodeTotals gatherNode(const std::vector<SnapshotEvent>& ranks, std::size_t i) {
  NodeTotals totals;
  double busy = 0;
  bool timed = true;
  for (const SnapshotEvent& rank : ranks) {
    if (i >= rank.nodes.size()) return {};
    totals.items += rank.nodes[i].items;
    totals.failed += rank.nodes[i].failed;
    totals.bytesOut += rank.nodes[i].bytesOut;
    timed = timed && rank.nodes[i].busySeconds;
    busy += rank.nodes[i].busySeconds.value_or(0);
  }
  // Treats every item as timed, which yields the busy time that the ranks reported.
  if (timed) totals.timedItems = totals.items;
  if (timed) totals.timedNs = static_cast<std::uint64_t>(std::llround(busy * 1e9));
  return totals;
}

QueueTotals gatherQueue(const std::vector<SnapshotEvent>& ranks, std::size_t i) {
  QueueTotals totals;
  const auto share = 1 / static_cast<double>(ranks.size());
  double fill = 0;
  for (const SnapshotEvent& rank : ranks) {
    if (i >= rank.queues.size()) return {};
    const SnapshotEvent::Queue& queue = rank.queues[i];
    totals.batches += queue.batches;
    totals.seconds += share * queue.seconds;
    totals.emptySeconds += share * queue.emptySeconds;
    totals.fullSeconds += share * queue.fullSeconds;
    totals.fillSeconds += share * queue.fillSeconds.value_or(0);
    fill += share * static_cast<double>(queue.fill);
  }
  totals.fill = static_cast<std::size_t>(std::lround(fill));
  return totals;
}

MachineTimes machineOf(const SnapshotEvent& snapshot) {
  MachineTimes machine;
  for (const SnapshotEvent::Core& core : snapshot.cores) {
    CoreTimes& times = machine.cores.emplace_back();
    times.core = static_cast<int>(core.core);
    times.user = core.busySeconds;
    times.idle = core.totalSeconds - core.busySeconds;
  }
  return machine;
}

/// All ranks see the same machine; each one reads for itself.
FlowTotals flowsOf(const std::vector<SnapshotEvent>& ranks) {
  FlowTotals all = ranks.front().flows;
  for (const FlowSpec& spec : flowSpecs()) {
    if (!spec.ofProcess) continue;
    std::optional<std::uint64_t> sum = 0;
    for (const SnapshotEvent& rank : ranks) addKnown(sum, rank.flows[spec.flow]);
    all[spec.flow] = sum;
  }
  return all;
}

}  // namespace

SpanFigures gatherRepeat(const std::vector<SpanFigures>& ranks) {
  SpanFigures all;
  gatherCounts(all, ranks);
  const auto samples = [](const SpanFigures& rank) { return static_cast<double>(rank.samples); };
  const auto seconds = [](const SpanFigures& rank) { return rank.seconds; };
  all.cpuSecondsPer1000Samples =
      weightedMean(ranks, &SpanFigures::cpuSecondsPer1000Samples, samples);
  all.readLatencyMs = weightedMean(ranks, &SpanFigures::readLatencyMs, samples);
  all.stepShare = weightedMean(ranks, &SpanFigures::stepShare, seconds);
  all.stepOverNominal = weightedMean(ranks, &SpanFigures::stepOverNominal, seconds);
  all.stealShare = weightedMean(ranks, &SpanFigures::stealShare, seconds);
  // Every rank counts throttling of the whole machine: take the largest count.
  for (const SpanFigures& rank : ranks)
    if (rank.throttles) all.throttles = std::max(all.throttles.value_or(0), *rank.throttles);
  all.accelerator = gatherGpus(ranks);
  all.training = gatherTraining(ranks);
  for (const SpanFigures& rank : ranks) all.slowest.add(rank.slowest);
  all.nodes = gatherNodes(ranks);
  all.queues = gatherQueues(ranks);
  all.stages = gatherStages(ranks);
  return all;
}

RunSnapshot gatherSnapshots(const std::vector<SnapshotEvent>& ranks) {
  const SnapshotEvent& first = ranks.front();
  RunSnapshot all;
  all.phase = first.phase;
  all.seconds = meanOver(ranks, &SnapshotEvent::seconds);
  all.totals.stepSeconds = meanOver(ranks, &SnapshotEvent::stepSeconds);
  all.host.machine = machineOf(first);
  std::optional<std::uint64_t> resident = 0;
  for (const SnapshotEvent& rank : ranks) {
    all.totals.samples += rank.samples;
    all.totals.batches += rank.batches;
    all.totals.failedSamples += rank.failedSamples;
    all.totals.readBytes += rank.readBytes;
    all.host.cpuSeconds += rank.cpuSeconds;
    addKnown(resident, rank.rssBytes);
  }
  all.host.memory.rssBytes = resident;
  all.host.flows = flowsOf(ranks);
  for (std::size_t i = 0; i < first.nodes.size(); ++i)
    all.totals.nodes.push_back(gatherNode(ranks, i));
  for (std::size_t i = 0; i < first.queues.size(); ++i)
    all.totals.queues.push_back(gatherQueue(ranks, i));
  return all;
}

std::optional<RankSpread> spreadOf(const std::vector<RankFigures>& ranks) {
  std::vector<std::pair<double, std::int64_t>> rates;
  for (const RankFigures& rank : ranks)
    if (const auto rate = rank.figures.samplesPerSecond.mean) rates.emplace_back(*rate, rank.rank);
  if (rates.size() < 2) return std::nullopt;
  const auto [slowest, fastest] = std::ranges::minmax(rates);
  if (fastest.first <= 0) return std::nullopt;
  return RankSpread{slowest.second, fastest.second, 1 - slowest.first / fastest.first};
}

}  // namespace millrace
