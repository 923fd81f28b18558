// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/text/text.h"
#include "core/events/json/json_fields.inl"
#include "core/events/stream/event_json.h"
#include "core/measure/run_result.h"

namespace millrace {

// The keys of the figures of a run, each listed once (json_fields.inl).

/// The keys of a rate that searches have too.
template <class Fields>
void describeMean(Fields& fields, RateFigures& rate) {
  fields("mean", rate.mean);
  fields("ci95_low", rate.ci95Low);
  fields("ci95_high", rate.ci95High);
}

template <class Fields>
void describe(Fields& fields, RateFigures& rate) {
  describeMean(fields, rate);
  fields("median", rate.median);
  fields("p05", rate.p05);
  fields("p95", rate.p95);
  fields("windows", rate.windows);
}

/// The counters of a node: an object with a key for each; null if there is none.
struct CountsByName {
  std::vector<NamedCount>& counts;
};
template <>
struct JsonConverter<CountsByName> {
  static Json write(const CountsByName& value) {
    Json json;
    for (const NamedCount& count : value.counts) json[count.name] = count.count;
    return json;
  }
  static void read(const Json& json, CountsByName& value) {
    if (!json.is_object()) return;
    for (const auto& [name, count] : json.items())
      if (count.is_number_unsigned()) value.counts.push_back({name, count.get<std::uint64_t>()});
  }
};

/// Pairs of a bucket's lower edge in nanoseconds and its count, of buckets that are not empty; null
/// if all are.
template <>
struct JsonConverter<Histogram> {
  static Json write(const Histogram& value) {
    Json json;
    for (std::size_t b = 0; b < Histogram::kBuckets; ++b)
      if (value.counts[b] > 0)
        json.push_back(Json::array({Histogram::lowerEdge(b), value.counts[b]}));
    return json;
  }
  static void read(const Json& json, Histogram& value) {
    if (!json.is_array()) return;
    for (const Json& pair : json)
      if (pair.is_array() && pair.size() == 2 && pair[0].is_number_unsigned() &&
          pair[1].is_number_unsigned())
        value.counts[Histogram::bucketOf(pair[0].get<std::uint64_t>())] =
            pair[1].get<std::uint64_t>();
  }
};

/// An object with a key for each line of the environment.
struct EnvironmentByKey {
  std::vector<std::pair<std::string, std::string>>& lines;
};
template <>
struct JsonConverter<EnvironmentByKey> {
  static Json write(const EnvironmentByKey& value) {
    Json json = Json::object();
    for (const auto& [key, line] : value.lines) json[key] = validUtf8(line);
    return json;
  }
  static void read(const Json& json, EnvironmentByKey& value) {
    if (!json.is_object()) return;
    for (const auto& [key, line] : json.items())
      if (line.is_string()) value.lines.emplace_back(key, line.get<std::string>());
  }
};

/// What a snapshot has of a GPU too.
template <class Fields>
void describeGpu(Fields& fields, GpuFigures& gpu) {
  fields("name", gpu.name);
  fields.text("ended", gpu.ended);
  std::vector<std::string> reasons;
  if constexpr (!kReadsJson<Fields>) reasons = gpuThrottleNames(gpu.values.throttleReasons);
  fields("throttle_reasons", reasons);
  if constexpr (kReadsJson<Fields>)
    for (const std::string& reason : reasons) gpu.values.throttleReasons |= gpuThrottleBit(reason);
  for (const GpuField& field : gpuFields())
    fields(std::string(field.key).c_str(), gpu.values.*field.value);
}

template <class Fields>
void describe(Fields& fields, GpuFigures& gpu) {
  describeGpu(fields, gpu);
  fields("samples", gpu.samples);
}

template <class Fields>
void describe(Fields& fields, NodeFigures& node) {
  fields("id", node.id);
  fields("kind", node.kind);
  fields("items", node.items);
  fields("bytes_in", node.bytesIn);
  fields("bytes_out", node.bytesOut);
  fields("failed", node.failed);
  fields("busy_seconds", node.busySeconds);
  fields("cpu_seconds", node.cpuSeconds);
  fields("mean_ms", node.meanMs);
  CountsByName counts{node.counters};
  fields("counts", counts);
  fields("p95_ms", node.p95Ms);
  fields("times", node.service);
  fields("fused_into", node.fusedInto);
}

template <class Fields>
void describe(Fields& fields, QueueFigures& queue) {
  fields("id", queue.id);
  fields("from", queue.from);
  fields("to", queue.to);
  fields("capacity", queue.capacity);
  fields("mean_fill", queue.meanFill);
  fields("empty_share", queue.emptyShare);
  fields("full_share", queue.fullShare);
  fields("reader_wait_seconds", queue.readerWaitSeconds);
  fields("writer_wait_seconds", queue.writerWaitSeconds);
  fields("head_of_line_seconds", queue.headOfLineSeconds);
}

template <class Fields>
void describe(Fields& fields, StageFigures& stage) {
  fields("id", stage.id);
  fields("threads", stage.threads);
  fields("cpu_seconds", stage.cpuSeconds);
  fields("run_delay_seconds", stage.runDelaySeconds);
  fields("between_nodes_seconds", stage.betweenSeconds);
}

template <class Fields>
void describe(Fields& fields, RateWindow& window) {
  fields("start_seconds", window.startSeconds);
  fields("seconds", window.seconds);
  fields("samples", window.samples);
  fields("batches", window.batches);
}

template <class Fields>
void describe(Fields& fields, TrainingFigures& training) {
  fields("steps", training.steps);
  fields("forward_ms", training.forwardMs);
  fields("backward_ms", training.backwardMs);
  fields("update_ms", training.updateMs);
  fields("skipped_updates", training.skippedUpdates);
  fields("first_loss", training.firstLoss);
  fields("loss", training.loss);
  fields("loss_scale", training.lossScale);
  fields("libraries", training.libraries);
}

template <class Fields>
void describe(Fields& fields, SlowestSample& slow) {
  fields("sample", slow.sample);
  fields("times", slow.times);
  fields("mean_ms", slow.meanMs);
  fields("bytes", slow.bytes);
  fields("node", slow.node);
  fields("node_ms", slow.nodeMs);
  fields.text("route", slow.route);
}

template <class Fields>
void describe(Fields& fields, SlowestFigures& slowest) {
  fields("timed", slowest.timed);
  fields("timed_seconds", slowest.timedSeconds);
  fields("samples", slowest.samples);
}

template <class Fields>
void describe(Fields& fields, ShuffleFigure& figure) {
  fields("value", figure.value);
  fields("full", figure.full);
}

template <class Fields>
void describe(Fields& fields, ShuffleQuality& order) {
  fields("samples", order.samples);
  fields("distance", order.distance);
  fields("class_run", order.classRun);
  fields("file_run", order.fileRun);
  fields("batch_entropy_bits", order.batchEntropy);
  fields("batch_entropy_along", order.entropyAlong);
}

/// The figures that a rank has too.
template <class Fields>
void describeRank(Fields& fields, SpanFigures& span) {
  fields("samples", span.samples);
  fields("batches", span.batches);
  fields("failed_samples", span.failedSamples);
  fields("seconds", span.seconds);
  fields("samples_per_second", span.samplesPerSecond);
  fields("batches_per_second", span.batchesPerSecond);
  fields("cpu_seconds_per_1000_samples", span.cpuSecondsPer1000Samples);
  fields("peak_rss_bytes", span.peakRssBytes);
  fields("step_share", span.stepShare);
  fields("wait_p95_ms", span.waitP95Ms);
  fields("accelerator", span.accelerator);
}

/// A span without its windows, as in the result of a run.
template <class Fields>
void describeSpan(Fields& fields, SpanFigures& span) {
  describeRank(fields, span);
  fields("lockstep_samples_per_second", span.lockstepSamplesPerSecond);
  fields("input_bytes_per_second", span.inputBytesPerSecond);
  fields("step_over_nominal", span.stepOverNominal);
  fields("other_busy_share", span.otherBusyShare);
  fields("steal_share", span.stealShare);
  fields("core_speed_change", span.coreSpeedChange);
  fields("core_exchange_change", span.interCoreLatencyChange);
  fields("throttles", span.throttles);
  fields("other_disk_share", span.otherDiskShare);
  fields("dumped_batches", span.dumpedBatches);
  fields("page_cache_change", span.pageCacheChange);
  fields("read_latency_ms", span.readLatencyMs);
  fields("major_faults", span.majorFaults);
  fields("training", span.training);
  fields("slowest", span.slowest);
  fields("nodes", span.nodes);
  fields("queues", span.queues);
  fields("stages", span.stages);
}

/// A repeat.
template <class Fields>
void describe(Fields& fields, SpanFigures& span) {
  describeSpan(fields, span);
  fields("windows", span.windows);
}

/// Nodes and queues are in the gathered result only.
template <class Fields>
void describe(Fields& fields, RankFigures& rank) {
  fields("rank", rank.rank);
  fields.text("gpu", rank.gpu);
  describeRank(fields, rank.figures);
}

template <class Fields>
void describe(Fields& fields, CacheFigures& cache) {
  fields("id", cache.id);
  fields("samples", cache.fill.entries);
  fields("bytes", cache.fill.bytes);
  fields("limit_bytes", cache.fill.limitBytes);
  fields("hits", cache.fill.hits);
  fields("misses", cache.fill.misses);
  fields("damaged", cache.fill.damaged);
  fields.text("stopped", cache.fill.stopped);
}

template <class Fields>
void describe(Fields& fields, LiveChange& change) {
  fields("node", change.node);
  fields("param", change.param);
  fields("value", change.value);
}

template <class Fields>
void describe(Fields& fields, FailedSample& failure) {
  fields("sample", failure.sample);
  fields("reason", failure.reason);
}

template <class Fields>
void describe(Fields& fields, RunResult& result) {
  describeSpan(fields, result.figures);
  if constexpr (kReadsJson<Fields>) result.outcome = RunOutcome::Failed;  // if it is not known
  fields.name(kOutcomeKey, result.outcome, RunOutcome::Interrupted);
  fields.text(kReasonKey, result.reason);
  fields("order", result.figures.order);
  fields("live_changes", result.liveChanges);
  fields("failures", result.failures);
  fields("caches", result.caches);
  fields("repeats", result.repeats);
  fields.list("ranks", result.ranks);
  EnvironmentByKey environment{result.environment};
  fields("environment", environment);
}

}  // namespace millrace
