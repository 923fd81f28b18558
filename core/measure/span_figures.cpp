// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/span_figures.h"

#include <algorithm>
#include <map>

#include "core/analysis/statistics.h"
#include "core/metrics/histogram_quantile.h"

namespace millrace {

namespace {

std::optional<double> ratio(double part, double whole) {
  if (whole <= 0) return std::nullopt;
  return part / whole;
}

std::vector<double> sampleRates(const std::vector<RateWindow>& windows) {
  std::vector<double> rates;
  for (const RateWindow& window : windows) rates.push_back(window.rate());
  return rates;
}

std::vector<double> batchRates(const std::vector<RateWindow>& windows) {
  std::vector<double> rates;
  for (const RateWindow& window : windows)
    rates.push_back(window.seconds > 0 ? static_cast<double>(window.batches) / window.seconds : 0);
  return rates;
}

/// In a fused group only the first node has figures. Nodes that do not work on samples (order,
/// workers, prefetch) show what passed through them.
NodeFigures nodeFigures(const Plan& plan, std::size_t i, const NodeTotals& totals,
                        const SpanFigures& span) {
  NodeFigures figures;
  figures.id = plan.node(i).id;
  figures.kind = plan.node(i).spec->kind;
  const std::size_t counter = plan.counterOf(i);
  if (counter != i) {
    figures.fusedInto = plan.node(counter).id;
    return figures;
  }
  const NodeRole role = plan.node(i).spec->role;
  if (role == NodeRole::Order || role == NodeRole::Workers) {
    figures.items = span.samples;
    return figures;
  }
  if (role == NodeRole::Prefetch ||
      (role == NodeRole::Transfer && plan.node(i).out.place != Place::Device)) {
    figures.items = span.batches;
    return figures;
  }
  figures.items = totals.items;
  figures.failed = totals.failed;
  if (role == NodeRole::Batch) return figures;
  if (totals.bytesIn > 0) figures.bytesIn = totals.bytesIn;
  if (totals.bytesOut > 0) figures.bytesOut = totals.bytesOut;
  figures.service = totals.service;
  for (const NamedCount& counted : totals.counters)
    if (counted.count > 0) figures.counters.push_back(counted);
  if (totals.timedItems == 0) return figures;
  figures.busySeconds = totals.busySeconds();
  figures.meanMs = totals.meanMs();
  figures.p95Ms = quantileMs(totals.service, 0.95, totals.meanMs());
  return figures;
}

/// Index of the stage whose threads run node i.
std::size_t stageOf(const Plan& plan, std::size_t i) {
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    const std::vector<std::size_t>& nodes = plan.stages[s].nodes;
    if (std::find(nodes.begin(), nodes.end(), i) != nodes.end()) return s;
  }
  return 0;
}

/// The kernel counts CPU time for threads; each node gets a share in proportion to its busy time.
void shareCpuTime(const Plan& plan, SpanFigures& span) {
  std::vector<double> busy(plan.stages.size(), 0);
  const auto onCpu = [&](std::size_t i) {
    return span.nodes[i].busySeconds && plan.node(i).spec->role != NodeRole::Consumer;
  };
  for (std::size_t i = 0; i < span.nodes.size(); ++i)
    if (onCpu(i)) busy[stageOf(plan, i)] += *span.nodes[i].busySeconds;
  for (std::size_t i = 0; i < span.nodes.size(); ++i) {
    const std::size_t stage = stageOf(plan, i);
    if (onCpu(i) && busy[stage] > 0 && span.stages[stage].cpuSeconds)
      span.nodes[i].cpuSeconds =
          *span.stages[stage].cpuSeconds * *span.nodes[i].busySeconds / busy[stage];
  }
}

QueueFigures queueFigures(const PlanQueue& queue, const QueueTotals& begin,
                          const QueueTotals& end) {
  const double seconds = end.seconds - begin.seconds;
  return {queue.id,
          queue.from,
          queue.to,
          queue.capacity,
          ratio(end.fillSeconds - begin.fillSeconds, seconds),
          ratio(end.emptySeconds - begin.emptySeconds, seconds),
          ratio(end.fullSeconds - begin.fullSeconds, seconds),
          end.readerWaitSeconds - begin.readerWaitSeconds,
          end.writerWaitSeconds - begin.writerWaitSeconds,
          end.headOfLineSeconds - begin.headOfLineSeconds};
}

double waitedSeconds(const HostSample& host, const std::vector<int>& threads) {
  double waited = 0;
  for (const ThreadSample& thread : host.threads)
    if (thread.schedule && std::find(threads.begin(), threads.end(), thread.id) != threads.end())
      waited += thread.schedule->waitedSeconds;
  return waited;
}

StageFigures stageFigures(const Plan& plan, std::size_t s, const SpanEdge& begin,
                          const SpanEdge& end, const std::vector<NodeFigures>& nodes) {
  const PlanStage& stage = plan.stages[s];
  const StageTotals& before = begin.totals.stages[s];
  const StageTotals& after = end.totals.stages[s];
  StageFigures figures;
  figures.id = stage.id;
  figures.threads = stage.threads;
  figures.cpuSeconds = static_cast<double>(after.cpuNs - before.cpuNs) * 1e-9;
  figures.runDelaySeconds = std::max(
      0.0, waitedSeconds(end.host, after.threadIds) - waitedSeconds(begin.host, before.threadIds));
  if (after.sampleSeconds <= before.sampleSeconds) return figures;
  double inside = s == 0 ? nodes[plan.source].busySeconds.value_or(0) : 0;
  for (const StageSegment& segment : stage.segments)
    for (const PlanGroup& group : segment.sampleGroups)
      inside += nodes[group.nodes.front()].busySeconds.value_or(0);
  figures.betweenSeconds = std::max(0.0, after.sampleSeconds - before.sampleSeconds - inside);
  return figures;
}

void addHostFigures(const SpanEdge& begin, const SpanEdge& end, SpanFigures& span) {
  const HostShares shares = sharesBetween(begin.host, end.host);
  // The kernel counts busy time in hundredths of a second for each core; shorter spans are too
  // noisy.
  constexpr double kLeastSeconds = 0.4;
  if (shares.seconds >= kLeastSeconds) span.otherBusyShare = shares.otherBusyShare;
  span.stealShare = shares.stealShare;
  span.majorFaults = shares.majorFaults;
  span.peakRssBytes = end.host.memory.peakRssBytes;
  if (span.samples > 0)
    span.cpuSecondsPer1000Samples =
        (end.host.cpuSeconds - begin.host.cpuSeconds) / static_cast<double>(span.samples) * 1000;
}

std::optional<TrainingFigures> trainingFigures(const std::optional<TrainingTotals>& begin,
                                               const std::optional<TrainingTotals>& end) {
  const TrainingTotals before = begin.value_or(TrainingTotals{});
  if (!end || end->steps == before.steps) return std::nullopt;
  const auto steps = static_cast<double>(end->steps - before.steps);
  return TrainingFigures{end->steps - before.steps,
                         (end->forwardSeconds - before.forwardSeconds) / steps * 1e3,
                         (end->backwardSeconds - before.backwardSeconds) / steps * 1e3,
                         (end->updateSeconds - before.updateSeconds) / steps * 1e3,
                         end->skippedUpdates - before.skippedUpdates,
                         end->firstLoss,
                         end->loss,
                         end->lossScale,
                         end->libraries};
}

void addTotalsFigures(const RunTotals& begin, const RunTotals& end, SpanFigures& span) {
  span.samples = end.samples - begin.samples;
  span.batches = end.batches - begin.batches;
  for (std::size_t i = 0; i < end.nodes.size(); ++i)
    span.failedSamples += end.nodes[i].failed - begin.nodes[i].failed;
  span.inputBytesPerSecond =
      ratio(static_cast<double>(end.readBytes - begin.readBytes), span.seconds);
  const double nominal = end.nominalStepSeconds - begin.nominalStepSeconds;
  const double step = end.stepSeconds - begin.stepSeconds;
  span.training = trainingFigures(begin.training, end.training);
  if (nominal > 0 || span.training) span.stepShare = ratio(step, span.seconds);
  if (nominal > 0) span.stepOverNominal = ratio(step, nominal);
  if (const auto timed = end.timedReads - begin.timedReads; timed > 0)
    span.readLatencyMs = static_cast<double>(end.readLatencyNs - begin.readLatencyNs) * 1e-6 /
                         static_cast<double>(timed);
}

}  // namespace

RateFigures rateOver(std::optional<double> mean, const std::vector<double>& windowRates) {
  RateFigures rate;
  rate.mean = mean;
  rate.windows = windowRates.size();
  if (windowRates.size() < 5) return rate;
  rate.median = median(windowRates);
  rate.p05 = percentile(windowRates, 0.05);
  rate.p95 = percentile(windowRates, 0.95);
  return rate;
}

void addMachineChange(const MachineChange& change, SpanFigures& figures) {
  figures.coreSpeedChange = change.coreSpeedChange;
  figures.interCoreLatencyChange = change.interCoreLatencyChange;
  figures.throttles = change.throttles;
  figures.otherDiskShare = change.otherDiskShare;
}

SpanFigures figuresBetween(const SpanEdge& begin, const SpanEdge& end, double seconds,
                           std::vector<RateWindow> windows, const Histogram& waits) {
  SpanFigures span;
  span.seconds = seconds;
  addTotalsFigures(begin.totals, end.totals, span);
  addHostFigures(begin, end, span);
  if (waits.total() > 0) span.waitP95Ms = waits.quantile(0.95) * 1e-6;
  span.windows = std::move(windows);
  span.samplesPerSecond =
      rateOver(ratio(static_cast<double>(span.samples), seconds), sampleRates(span.windows));
  span.batchesPerSecond =
      rateOver(ratio(static_cast<double>(span.batches), seconds), batchRates(span.windows));
  return span;
}

SpanFigures figuresBetween(const Plan& plan, const SpanEdge& begin, const SpanEdge& end,
                           double seconds, std::vector<RateWindow> windows,
                           const Histogram& waits) {
  SpanFigures span = figuresBetween(begin, end, seconds, std::move(windows), waits);
  for (std::size_t i = 0; i < plan.pipeline.nodes.size(); ++i) {
    NodeTotals totals = end.totals.nodes[i];
    totals -= begin.totals.nodes[i];
    span.nodes.push_back(nodeFigures(plan, i, totals, span));
  }
  for (std::size_t s = 0; s < plan.stages.size(); ++s)
    span.stages.push_back(stageFigures(plan, s, begin, end, span.nodes));
  for (std::size_t q = 0; q < end.totals.queues.size(); ++q)
    span.queues.push_back(
        queueFigures(plan.queues[q], begin.totals.queues[q], end.totals.queues[q]));
  shareCpuTime(plan, span);
  return span;
}

namespace {

/// Adds the values that exist; the sum stays absent if neither exists.
template <class T>
void accumulate(std::optional<T>& sum, const std::optional<T>& more) {
  if (more) sum = sum.value_or(T{}) + *more;
}

using Field = std::optional<double> SpanFigures::*;

std::optional<double> meanOf(const std::vector<SpanFigures>& repeats, Field field) {
  std::vector<double> values;
  for (const SpanFigures& repeat : repeats)
    if (repeat.*field) values.push_back(*(repeat.*field));
  return mean(values);
}

RateFigures combineRates(const std::vector<SpanFigures>& repeats, RateFigures SpanFigures::* rate,
                         const std::vector<double>& windows) {
  std::vector<double> means;
  for (const SpanFigures& repeat : repeats)
    if ((repeat.*rate).mean.value_or(0) > 0) means.push_back(*(repeat.*rate).mean);
  RateFigures combined = rateOver(geometricMean(means), windows);
  if (const auto interval = geometricInterval95(means)) {
    combined.ci95Low = interval->low;
    combined.ci95High = interval->high;
  }
  return combined;
}

void addCounts(std::vector<NamedCount>& sum, const std::vector<NamedCount>& more) {
  for (const NamedCount& counted : more) {
    const auto same = std::find_if(sum.begin(), sum.end(), [&](const NamedCount& known) {
      return known.name == counted.name;
    });
    if (same == sum.end())
      sum.push_back(counted);
    else
      same->count += counted.count;
  }
}

void addNodes(SpanFigures& sum, const SpanFigures& repeat) {
  for (std::size_t i = 0; i < repeat.nodes.size(); ++i) {
    NodeFigures& to = sum.nodes[i];
    const NodeFigures& from = repeat.nodes[i];
    accumulate(to.items, from.items);
    accumulate(to.bytesIn, from.bytesIn);
    accumulate(to.bytesOut, from.bytesOut);
    accumulate(to.failed, from.failed);
    accumulate(to.busySeconds, from.busySeconds);
    accumulate(to.cpuSeconds, from.cpuSeconds);
    to.service += from.service;
    addCounts(to.counters, from.counters);
    if (to.busySeconds && to.items && *to.items > 0)
      to.meanMs = *to.busySeconds * 1e3 / static_cast<double>(*to.items);
    if (to.service.total() > 0) to.p95Ms = quantileMs(to.service, 0.95, to.meanMs.value_or(0));
  }
}

/// Adds times weighted by steps. Each repeat trains from scratch, so losses are those of the last
/// one.
void addTraining(SpanFigures& sum, const SpanFigures& repeat) {
  if (!sum.training || !repeat.training) return;
  const TrainingFigures& from = *repeat.training;
  TrainingFigures to = from;
  to.steps += sum.training->steps;
  to.skippedUpdates += sum.training->skippedUpdates;
  const double share = static_cast<double>(from.steps) / static_cast<double>(to.steps);
  for (double TrainingFigures::* const ms :
       {&TrainingFigures::forwardMs, &TrainingFigures::backwardMs, &TrainingFigures::updateMs})
    to.*ms = share * from.*ms + (1 - share) * (*sum.training).*ms;
  sum.training = to;
}

void addStages(SpanFigures& sum, const SpanFigures& repeat) {
  for (std::size_t i = 0; i < repeat.stages.size(); ++i) {
    accumulate(sum.stages[i].cpuSeconds, repeat.stages[i].cpuSeconds);
    accumulate(sum.stages[i].runDelaySeconds, repeat.stages[i].runDelaySeconds);
    accumulate(sum.stages[i].betweenSeconds, repeat.stages[i].betweenSeconds);
  }
}

void meanOfQueues(SpanFigures& sum, const std::vector<SpanFigures>& repeats) {
  for (std::size_t q = 0; q < sum.queues.size(); ++q)
    for (const auto member : {&QueueFigures::meanFill, &QueueFigures::emptyShare,
                              &QueueFigures::fullShare, &QueueFigures::readerWaitSeconds,
                              &QueueFigures::writerWaitSeconds, &QueueFigures::headOfLineSeconds}) {
      std::vector<double> values;
      for (const SpanFigures& repeat : repeats)
        if (repeat.queues[q].*member) values.push_back(*(repeat.queues[q].*member));
      sum.queues[q].*member = mean(values);
    }
}

}  // namespace

SpanFigures combineRepeats(const std::vector<SpanFigures>& repeats) {
  if (repeats.empty()) return {};
  SpanFigures sum = repeats.front();
  for (std::size_t r = 1; r < repeats.size(); ++r) {
    const SpanFigures& repeat = repeats[r];
    sum.samples += repeat.samples;
    sum.batches += repeat.batches;
    sum.failedSamples += repeat.failedSamples;
    sum.seconds += repeat.seconds;
    sum.windows.insert(sum.windows.end(), repeat.windows.begin(), repeat.windows.end());
    if (repeat.peakRssBytes)
      sum.peakRssBytes = std::max(sum.peakRssBytes.value_or(0), *repeat.peakRssBytes);
    accumulate(sum.majorFaults, repeat.majorFaults);
    accumulate(sum.throttles, repeat.throttles);
    addTraining(sum, repeat);
    sum.slowest.add(repeat.slowest);
    addNodes(sum, repeat);
    addStages(sum, repeat);
  }
  std::vector<GpuFigures> gpus;
  for (const SpanFigures& repeat : repeats)
    if (repeat.accelerator) gpus.push_back(*repeat.accelerator);
  sum.accelerator = combineGpu(gpus);
  meanOfQueues(sum, repeats);
  for (const Field field :
       {&SpanFigures::lockstepSamplesPerSecond, &SpanFigures::inputBytesPerSecond,
        &SpanFigures::cpuSecondsPer1000Samples, &SpanFigures::stepShare,
        &SpanFigures::stepOverNominal, &SpanFigures::waitP95Ms, &SpanFigures::otherBusyShare,
        &SpanFigures::stealShare, &SpanFigures::coreSpeedChange,
        &SpanFigures::interCoreLatencyChange, &SpanFigures::otherDiskShare,
        &SpanFigures::pageCacheChange, &SpanFigures::readLatencyMs})
    sum.*field = meanOf(repeats, field);
  sum.samplesPerSecond =
      combineRates(repeats, &SpanFigures::samplesPerSecond, sampleRates(sum.windows));
  sum.batchesPerSecond =
      combineRates(repeats, &SpanFigures::batchesPerSecond, batchRates(sum.windows));
  return sum;
}

}  // namespace millrace
