// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/recorded_run.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/measure/store_figures.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

class Kept {
 public:
  explicit Kept(const std::vector<FigureRecord>& figures) : m_figures(figures) {}

  std::optional<double> value(std::string_view metric) const {
    const auto found = std::find_if(m_figures.begin(), m_figures.end(),
                                    [&](const FigureRecord& f) { return f.metric == metric; });
    return found == m_figures.end() ? std::nullopt : found->value;
  }
  std::optional<std::uint64_t> count(std::string_view metric) const {
    const std::optional<double> kept = value(metric);
    if (!kept || *kept < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*kept);
  }

 private:
  const std::vector<FigureRecord>& m_figures;
};

/// Values that are not numbers are facts of the run.
void readGpu(const Kept& kept, SpanFigures& f) {
  GpuFigures gpu;
  bool any = false;
  for (const GpuField& field : gpuFields()) {
    gpu.values.*field.value = kept.value(gpuMetric(field));
    any = any || gpu.values.*field.value;
  }
  if (any) f.accelerator = gpu;
}

/// Its libraries are facts of the run.
void readTraining(const Kept& kept, SpanFigures& f) {
  const auto steps = kept.count("training_steps");
  if (!steps) return;
  f.training = TrainingFigures{.steps = *steps,
                               .forwardMs = kept.value("training_forward_ms").value_or(0),
                               .backwardMs = kept.value("training_backward_ms").value_or(0),
                               .updateMs = kept.value("training_update_ms").value_or(0),
                               .skippedUpdates = kept.count("training_skipped_updates").value_or(0),
                               .firstLoss = kept.value("training_first_loss").value_or(0),
                               .loss = kept.value("training_loss").value_or(0),
                               .lossScale = kept.value("training_loss_scale").value_or(1),
                               .libraries = {}};
}

std::optional<ShuffleFigure> shuffleFigure(const Kept& kept, const std::string& metric) {
  const std::optional<double> ofFull = kept.value(metric);
  const std::optional<double> full = kept.value(metric + ".full");
  if (!ofFull || !full) return std::nullopt;
  // Runs of older versions have no deviation.
  return ShuffleFigure{*ofFull * *full, *full, kept.value(metric + ".deviation").value_or(0)};
}

/// Absent in a run whose order was not examined, and in the runs of older versions.
void readOrder(const Kept& kept, SpanFigures& f) {
  const std::optional<ShuffleFigure> distance = shuffleFigure(kept, "shuffle_distance");
  if (!distance) return;
  ShuffleQuality order;
  order.distance = *distance;
  order.samples = kept.count("shuffle_distance.samples").value_or(order.samples);
  order.classRun = shuffleFigure(kept, "shuffle_class_run");
  order.fileRun = shuffleFigure(kept, "shuffle_file_run");
  order.batchEntropy = shuffleFigure(kept, "shuffle_batch_entropy");
  if (order.batchEntropy)
    for (int part = 1;; ++part) {
      const auto share = kept.value(fmt::format("shuffle_batch_entropy.{}", part));
      if (!share) break;
      order.entropyAlong.push_back(*share * order.batchEntropy->full);
    }
  f.order = std::move(order);
}

void readFigures(const std::vector<FigureRecord>& records, SpanFigures& f) {
  const Kept kept(records);
  f.samples = kept.count("samples").value_or(f.samples);
  f.batches = kept.count("batches").value_or(f.batches);
  f.failedSamples = kept.count("failed_samples").value_or(f.failedSamples);
  f.seconds = kept.value("seconds").value_or(f.seconds);
  f.samplesPerSecond.mean = kept.value("samples_per_second");
  f.samplesPerSecond.median = kept.value("samples_per_second.median");
  f.samplesPerSecond.p05 = kept.value("samples_per_second.p05");
  f.samplesPerSecond.p95 = kept.value("samples_per_second.p95");
  f.samplesPerSecond.ci95Low = kept.value("samples_per_second.ci95_low");
  f.samplesPerSecond.ci95High = kept.value("samples_per_second.ci95_high");
  f.batchesPerSecond.mean = kept.value("batches_per_second");
  f.lockstepSamplesPerSecond = kept.value("lockstep_samples_per_second");
  f.inputBytesPerSecond = kept.value("input_bytes_per_second");
  f.cpuSecondsPer1000Samples = kept.value("cpu_seconds_per_1000_samples");
  f.peakRssBytes = kept.count("peak_rss_bytes");
  f.stepShare = kept.value("step_share");
  f.stepOverNominal = kept.value("step_over_nominal");
  f.waitP95Ms = kept.value("wait_p95_ms");
  f.otherBusyShare = kept.value("other_busy_share");
  f.stealShare = kept.value("steal_share");
  f.coreSpeedChange = kept.value("core_speed_change");
  f.interCoreLatencyChange = kept.value("core_exchange_change");
  f.throttles = kept.count("throttles");
  f.otherDiskShare = kept.value("other_disk_share");
  f.dumpedBatches = kept.count("dumped_batches");
  f.pageCacheChange = kept.value("page_cache_change");
  f.readLatencyMs = kept.value("read_latency_ms");
  f.majorFaults = kept.count("major_faults");
  f.slowest.timed = kept.count("slowest.timed").value_or(f.slowest.timed);
  f.slowest.timedSeconds = kept.value("slowest.timed_seconds").value_or(f.slowest.timedSeconds);
  readTraining(kept, f);
  readOrder(kept, f);
  readGpu(kept, f);
}

std::optional<std::uint64_t> countOf(const std::optional<std::int64_t>& value) {
  if (!value) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

NodeFigures nodeFigures(const NodeRecord& record) {
  NodeFigures node;
  node.id = record.id;
  node.kind = record.kind;
  node.items = countOf(record.items);
  node.bytesIn = countOf(record.bytesIn);
  node.bytesOut = countOf(record.bytesOut);
  node.busySeconds = record.busySeconds;
  node.cpuSeconds = record.cpuSeconds;
  node.meanMs = record.meanMs;
  node.fusedInto = record.fusedInto;
  return node;
}

QueueFigures queueFigures(const QueueRecord& record) {
  QueueFigures queue;
  queue.id = record.id;
  queue.from = record.from;
  queue.to = record.to;
  queue.capacity = static_cast<std::uint64_t>(record.capacity);
  queue.meanFill = record.meanFill;
  queue.emptyShare = record.emptyShare;
  queue.fullShare = record.fullShare;
  return queue;
}

SpanFigures repeatFigures(const RepeatRecord& record) {
  SpanFigures span;
  readFigures(record.figures, span);
  for (const NodeRecord& node : record.nodes) span.nodes.push_back(nodeFigures(node));
  for (const QueueRecord& queue : record.queues) span.queues.push_back(queueFigures(queue));
  for (const WindowRecord& window : record.windows)
    span.windows.push_back({window.startSeconds, window.seconds,
                            static_cast<std::uint64_t>(window.samples),
                            static_cast<std::uint64_t>(window.batches)});
  span.samplesPerSecond.windows = span.windows.size();
  for (const SlowestRecord& slow : record.slowest)
    span.slowest.samples.push_back({slow.sample, static_cast<std::uint64_t>(slow.times),
                                    slow.meanMs, static_cast<std::uint64_t>(slow.bytes), slow.node,
                                    slow.nodeMs, slow.route});
  return span;
}

RunOutcome runOutcomeOf(RunState state) {
  if (state == RunState::Finished) return RunOutcome::Finished;
  if (state == RunState::Failed) return RunOutcome::Failed;
  return RunOutcome::Interrupted;
}

/// Frequently varied settings: the first parameter of the nodes that shape how a pipeline runs.
bool isVaried(std::string_view kind, std::string_view param) {
  const NodeSpec* spec = builtinCatalog().find(kind);
  if (spec == nullptr || spec->params.empty() || spec->params.front().name != param) return false;
  return spec->role == NodeRole::Workers || spec->role == NodeRole::Batch ||
         spec->role == NodeRole::Prefetch || spec->role == NodeRole::Consumer;
}

}  // namespace

RunResult recordedResult(const RunDetails& details) {
  RunResult result;
  result.outcome = runOutcomeOf(details.summary.state);
  result.reason = details.summary.reason;
  for (const RepeatRecord& repeat : details.repeats)
    if (repeat.finished) result.repeats.push_back(repeatFigures(repeat));
  result.inBlocks = details.inBlocks;
  if (!result.repeats.empty())
    result.figures =
        details.inBlocks ? combineRepeats(result.repeats) : figuresOfRun(result.repeats);
  if (!details.figures.empty()) {
    const std::size_t windows = result.figures.samplesPerSecond.windows;
    readFigures(details.figures, result.figures);
    result.figures.samplesPerSecond.windows = windows;
  }
  if (!result.figures.samplesPerSecond.mean)
    result.figures.samplesPerSecond.mean = details.summary.samplesPerSecond;
  result.figures.failedSamples = static_cast<std::uint64_t>(details.summary.failedSamples);
  for (const FailureRecord& failure : details.failures)
    result.failures.push_back({failure.sample, failure.reason});
  result.environment = details.environment;
  takeGpuFacts(result);
  return result;
}

std::vector<ShownSetting> tellingSettings(const Graph& graph) {
  std::vector<ShownSetting> shown;
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* spec = builtinCatalog().find(node.kind);
    if (spec == nullptr || node.state != NodeState::On) continue;
    for (const ParamSpec& param : spec->params) {
      const auto found = node.params.find(param.name);
      if (found == node.params.end()) continue;
      const Value* value = std::get_if<Value>(&found->second);
      if (value == nullptr) continue;
      if (*value != param.defaultValue || isVaried(node.kind, param.name))
        shown.push_back({node.id + "." + param.name, textOf(*value)});
    }
  }
  return shown;
}

}  // namespace millrace
