// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/store_figures.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/metrics/disturbance.h"

namespace millrace {

namespace {

constexpr const char* kNameFact = "accelerator";
constexpr const char* kThrottledFact = "accelerator_throttled_by";
constexpr const char* kEndedFact = "accelerator_ended";
constexpr const char* kLibrariesFact = "training_libraries";

template <class T>
std::optional<std::int64_t> whole(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

template <class T>
std::optional<double> real(const std::optional<T>& value) {
  if (!value) return std::nullopt;
  return static_cast<double>(*value);
}

std::vector<FigureRecord> spanRecords(const SpanFigures& f) {
  return {{"samples", static_cast<double>(f.samples)},
          {"batches", static_cast<double>(f.batches)},
          {"failed_samples", static_cast<double>(f.failedSamples)},
          {"seconds", f.seconds},
          {"samples_per_second", f.samplesPerSecond.mean},
          {"samples_per_second.median", f.samplesPerSecond.median},
          {"samples_per_second.p05", f.samplesPerSecond.p05},
          {"samples_per_second.p95", f.samplesPerSecond.p95},
          {"samples_per_second.ci95_low", f.samplesPerSecond.ci95Low},
          {"samples_per_second.ci95_high", f.samplesPerSecond.ci95High},
          {"batches_per_second", f.batchesPerSecond.mean},
          {"lockstep_samples_per_second", f.lockstepSamplesPerSecond},
          {"input_bytes_per_second", f.inputBytesPerSecond},
          {"cpu_seconds_per_1000_samples", f.cpuSecondsPer1000Samples},
          {"peak_rss_bytes", real(f.peakRssBytes)},
          {"step_share", f.stepShare},
          {"step_over_nominal", f.stepOverNominal},
          {"wait_p95_ms", f.waitP95Ms},
          {"other_busy_share", f.otherBusyShare},
          {"steal_share", f.stealShare},
          {"core_speed_change", f.coreSpeedChange},
          {"core_exchange_change", f.interCoreLatencyChange},
          {"throttles", real(f.throttles)},
          {"other_disk_share", f.otherDiskShare},
          {"dumped_batches", real(f.dumpedBatches)},
          {"page_cache_change", f.pageCacheChange},
          {"read_latency_ms", f.readLatencyMs},
          {"major_faults", real(f.majorFaults)}};
}

/// Each figure as its share of a full shuffle's and, with the suffixes `.full` and `.deviation`,
/// the latter.
void addOrder(const ShuffleQuality& order, std::vector<FigureRecord>& records) {
  const auto add = [&records](const char* metric, const std::optional<ShuffleFigure>& figure) {
    if (!figure || !figure->ofFull()) return;
    records.push_back({metric, figure->ofFull()});
    records.push_back({std::string(metric) + ".full", figure->full});
    records.push_back({std::string(metric) + ".deviation", figure->deviation});
  };
  add("shuffle_distance", order.distance);
  records.push_back({"shuffle_distance.samples", static_cast<double>(order.samples)});
  add("shuffle_class_run", order.classRun);
  add("shuffle_file_run", order.fileRun);
  add("shuffle_batch_entropy", order.batchEntropy);
  if (!order.batchEntropy || !order.batchEntropy->ofFull()) return;
  for (std::size_t part = 0; part < order.entropyAlong.size(); ++part)
    records.push_back({fmt::format("shuffle_batch_entropy.{}", part + 1),
                       order.entropyAlong[part] / order.batchEntropy->full});
}

}  // namespace

std::vector<FigureRecord> figureRecords(const SpanFigures& f) {
  std::vector<FigureRecord> records = spanRecords(f);
  if (f.order) addOrder(*f.order, records);
  if (f.training) {
    const TrainingFigures& training = *f.training;
    records.insert(records.end(),
                   {{"training_steps", static_cast<double>(training.steps)},
                    {"training_forward_ms", training.forwardMs},
                    {"training_backward_ms", training.backwardMs},
                    {"training_update_ms", training.updateMs},
                    {"training_skipped_updates", static_cast<double>(training.skippedUpdates)},
                    {"training_first_loss", training.firstLoss},
                    {"training_loss", training.loss},
                    {"training_loss_scale", training.lossScale}});
  }
  if (!f.accelerator) return records;
  for (const GpuField& field : gpuFields())
    if (const auto& value = f.accelerator->values.*field.value)
      records.push_back({gpuMetric(field), value});
  return records;
}

std::vector<std::string> disturbancesIn(const SpanFigures& figures) {
  const std::vector<FigureRecord> records = figureRecords(figures);
  return disturbancesIn([&](std::string_view key) -> std::optional<double> {
    const auto found = std::ranges::find(records, key, &FigureRecord::metric);
    return found == records.end() ? std::nullopt : found->value;
  });
}

namespace {

std::vector<bool> countedOf(const std::vector<SpanFigures>& repeats) {
  std::vector<bool> disturbed;
  for (const SpanFigures& repeat : repeats) disturbed.push_back(!disturbancesIn(repeat).empty());
  return countedRepeats(disturbed);
}

}  // namespace

SpanFigures figuresOfRun(const std::vector<SpanFigures>& repeats) {
  SpanFigures all = combineRepeats(repeats);
  const std::vector<bool> counts = countedOf(repeats);
  std::vector<SpanFigures> counted;
  for (std::size_t i = 0; i < repeats.size(); ++i)
    if (counts[i]) counted.push_back(repeats[i]);
  if (counted.size() == repeats.size()) return all;
  const SpanFigures quiet = combineRepeats(counted);
  all.samplesPerSecond = quiet.samplesPerSecond;
  all.batchesPerSecond = quiet.batchesPerSecond;
  for (const auto field :
       {&SpanFigures::lockstepSamplesPerSecond, &SpanFigures::inputBytesPerSecond,
        &SpanFigures::cpuSecondsPer1000Samples, &SpanFigures::stepShare,
        &SpanFigures::stepOverNominal, &SpanFigures::waitP95Ms, &SpanFigures::stealShare,
        &SpanFigures::readLatencyMs})
    all.*field = quiet.*field;
  return all;
}

std::string leftOutText(const RunResult& result) {
  if (result.inBlocks) return {};
  const std::vector<SpanFigures>& repeats = result.repeats;
  const std::vector<bool> counts = countedOf(repeats);
  const auto first = std::ranges::find(counts, false);
  if (first == counts.end()) return {};
  const auto at = static_cast<std::size_t>(first - counts.begin());
  const auto leftOut = static_cast<std::size_t>(std::ranges::count(counts, false));
  return fmt::format("{} of {} repeats ({})", leftOut, counts.size(),
                     firstDisturbance(leftOut, at + 1, disturbancesIn(repeats[at])));
}

std::string gpuMetric(const GpuField& field) { return "accelerator." + std::string(field.key); }

std::vector<KeyValue> gpuFacts(const RunResult& result) {
  std::vector<KeyValue> facts;
  if (result.figures.training)
    facts.emplace_back(kLibrariesFact, result.figures.training->libraries);
  if (!result.figures.accelerator) return facts;
  const GpuFigures& gpu = *result.figures.accelerator;
  facts.emplace_back(kNameFact, gpu.name);
  if (gpu.values.throttleReasons != 0)
    facts.emplace_back(kThrottledFact, join(gpuThrottleNames(gpu.values.throttleReasons), ", "));
  if (!gpu.ended.empty()) facts.emplace_back(kEndedFact, gpu.ended);
  return facts;
}

void takeGpuFacts(RunResult& result) {
  std::vector<GpuFigures*> all;
  if (result.figures.accelerator) all.push_back(&*result.figures.accelerator);
  for (SpanFigures& repeat : result.repeats)
    if (repeat.accelerator) all.push_back(&*repeat.accelerator);
  for (const auto& [key, value] : result.environment) {
    if (key == kLibrariesFact && result.figures.training)
      result.figures.training->libraries = value;
    for (GpuFigures* gpu : all) {
      if (key == kNameFact) gpu->name = value;
      if (key == kEndedFact) gpu->ended = value;
      if (key == kThrottledFact)
        for (const std::string& reason : split(value, ','))
          gpu->values.throttleReasons |= gpuThrottleBit(trimmed(reason));
    }
  }
}

std::vector<NodeRecord> nodeRecords(const SpanFigures& figures) {
  std::vector<NodeRecord> records;
  for (const NodeFigures& node : figures.nodes)
    records.push_back({node.id, node.kind, whole(node.items), whole(node.bytesIn),
                       whole(node.bytesOut), node.busySeconds, node.cpuSeconds, node.meanMs,
                       node.fusedInto});
  return records;
}

std::vector<SlowestRecord> slowestRecords(const SpanFigures& figures) {
  std::vector<SlowestRecord> records;
  for (const SlowestSample& slow : figures.slowest.samples)
    records.push_back({validUtf8(slow.sample), static_cast<std::int64_t>(slow.times), slow.meanMs,
                       static_cast<std::int64_t>(slow.bytes), slow.node, slow.nodeMs, slow.route});
  return records;
}

std::vector<QueueRecord> queueRecords(const SpanFigures& figures) {
  std::vector<QueueRecord> records;
  for (const QueueFigures& queue : figures.queues)
    records.push_back({queue.id, queue.from, queue.to, "batches",
                       static_cast<std::int64_t>(queue.capacity), queue.meanFill, queue.emptyShare,
                       queue.fullShare});
  return records;
}

}  // namespace millrace
