// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/events/results/run_fields.inl"
#include "core/events/stream/event_json.h"
#include "core/events/stream/event_line.inl"
#include "core/events/stream/run_events.h"

namespace millrace {

// The names and keys of the events of a run, each listed once (json_fields.inl).

template <>
inline constexpr const char* kEventName<HelloEvent> = "hello";
template <>
inline constexpr const char* kEventName<PlanEvent> = "plan";
template <>
inline constexpr const char* kEventName<WaitingEvent> = "waiting";
template <>
inline constexpr const char* kEventName<ReadyEvent> = "ready";
template <>
inline constexpr const char* kEventName<RunPhase> = "phase";
template <>
inline constexpr const char* kEventName<SnapshotEvent> = "snapshot";
template <>
inline constexpr const char* kEventName<WindowEvent> = "window";
template <>
inline constexpr const char* kEventName<RepeatEvent> = "repeat";
template <>
inline constexpr const char* kEventName<ProblemEvent> = "problem";
template <>
inline constexpr const char* kEventName<ProgressEvent> = "progress";
template <>
inline constexpr const char* kEventName<BlockEvent> = "block";
template <>
inline constexpr const char* kEventName<ResultEvent> = "result";
template <>
inline constexpr const char* kEventName<AnswerEvent> = "answer";
template <>
inline constexpr const char* kEventName<RecordEvent> = "record";
template <>
inline constexpr const char* kEventName<PageEvent> = "page";

inline std::string_view nameOf(Severity severity) {
  return severity == Severity::Error ? "error" : "warning";
}

/// The key counts repeats from 1, `repeat` from 0.
template <class Fields>
void describeRepeat(Fields& fields, std::size_t& repeat) {
  std::uint64_t number = repeat + 1;
  fields("repeat", number);
  if constexpr (kReadsJson<Fields>) repeat = number > 0 ? number - 1 : 0;
}

template <class Fields>
void describe(Fields& fields, HelloEvent& event) {
  fields("version", event.version);
  fields("engine", event.engine);
}

template <class Fields>
void describe(Fields& fields, PlanEvent::Stage& stage) {
  fields("id", stage.id);
  fields("threads", stage.threads);
  fields("on_consumer", stage.onConsumer);
  fields("unit", stage.unit);
  fields("order", stage.order);
  fields("nodes", stage.nodes);
  fields("fused", stage.fused);
}

template <class Fields>
void describe(Fields& fields, PlanEvent::Queue& queue) {
  fields("id", queue.id);
  fields("from", queue.from);
  fields("to", queue.to);
  fields("unit", queue.unit);
  fields("capacity", queue.capacity);
  fields("slots", queue.slotCount);
  fields("batch_bytes", queue.batchBytes);
}

template <class Fields>
void describe(Fields& fields, PlanEvent::Node& node) {
  fields("node", node.id);
  fields("kind", node.kind);
  fields("out", node.out);
}

template <class Fields>
void describe(Fields& fields, PlanEvent& event) {
  fields("order", event.order);
  fields("stages", event.stages);
  fields("queues", event.queues);
  fields("nodes", event.nodes);
  fields("text", event.text);
}

/// What a wait has of a phase too.
template <class Fields>
void describeTimes(Fields& fields, RunPhase& phase) {
  describeRepeat(fields, phase.repeat);
  fields("repeats", phase.repeats);
  fields("seconds_left", phase.secondsLeft);
}

template <class Fields>
void describe(Fields& fields, RunPhase& phase) {
  describeTimes(fields, phase);
  constexpr std::string_view kWarmup = "warm-up";
  std::string name(phase.warmup ? kWarmup : "measured");
  fields("phase", name);
  if constexpr (kReadsJson<Fields>) phase.warmup = name == kWarmup;
}

template <class Fields>
void describe(Fields& fields, WaitingEvent& event) {
  std::string awaited = "cores";
  fields("for", awaited);
  describeTimes(fields, event.phase);
}

template <class Fields>
void describe(Fields& fields, ReadyEvent& event) {
  describeRepeat(fields, event.repeat);
}

template <class Fields>
void describe(Fields& fields, SnapshotEvent::Node& node) {
  fields("id", node.id);
  fields("items", node.items);
  fields("failed", node.failed);
  fields("bytes_out", node.bytesOut);
  fields("busy_seconds", node.busySeconds);
  fields("mean_ms", node.meanMs);
}

template <class Fields>
void describe(Fields& fields, SnapshotEvent::Queue& queue) {
  fields("id", queue.id);
  fields("fill", queue.fill);
  fields("batches", queue.batches);
  fields("seconds", queue.seconds);
  fields("empty_seconds", queue.emptySeconds);
  fields("full_seconds", queue.fullSeconds);
  fields("fill_seconds", queue.fillSeconds);
  double emptyShare = queue.seconds > 0 ? queue.emptySeconds / queue.seconds : 0;
  double fullShare = queue.seconds > 0 ? queue.fullSeconds / queue.seconds : 0;
  fields("empty_share", emptyShare);
  fields("full_share", fullShare);
}

template <class Fields>
void describe(Fields& fields, SnapshotEvent::Core& core) {
  fields("core", core.core);
  fields("busy_seconds", core.busySeconds);
  fields("total_seconds", core.totalSeconds);
}

/// A GPU in a snapshot: its values now, without a number of samples.
struct GpuNow {
  GpuFigures gpu;
};
template <class Fields>
void describe(Fields& fields, GpuNow& now) {
  describeGpu(fields, now.gpu);
}

template <class Fields>
void describe(Fields& fields, FlowTotals& totals) {
  for (const FlowSpec& spec : flowSpecs()) fields(std::string(spec.key).c_str(), totals[spec.flow]);
}

template <class Fields>
void describe(Fields& fields, SnapshotEvent& event) {
  fields.text(kRunIdKey, event.runId);
  fields("phase", event.phase);
  fields("seconds", event.seconds);
  fields("samples", event.samples);
  fields("batches", event.batches);
  fields("failed_samples", event.failedSamples);
  fields("read_bytes", event.readBytes);
  fields("step_seconds", event.stepSeconds);
  fields("nodes", event.nodes);
  fields("queues", event.queues);
  fields("cores", event.cores);
  fields("cpu_seconds", event.cpuSeconds);
  fields("rss_bytes", event.rssBytes);
  fields("traffic", event.flows);
  fields("dropped_snapshots", event.droppedSnapshots);
  std::optional<GpuNow> gpu;
  if (event.accelerator) gpu = GpuNow{*event.accelerator};
  fields("accelerator", gpu);
  if constexpr (kReadsJson<Fields>)
    if (gpu) event.accelerator = gpu->gpu;
}

template <class Fields>
void describe(Fields& fields, WindowEvent& event) {
  describeRepeat(fields, event.repeat);
  describe(fields, event.window);
  double rate = event.window.rate();
  fields("samples_per_second", rate);
}

template <class Fields>
void describe(Fields& fields, RepeatEvent& event) {
  describeRepeat(fields, event.repeat);
  describe(fields, event.figures);
}

template <class Fields>
void describe(Fields& fields, Problem& problem) {
  fields.name("severity", problem.severity, Severity::Error);
  fields.text("node", problem.node);
  fields.text("field", problem.field);
  fields("message", problem.message);
  fields("remedy", problem.remedy);
}

template <class Fields>
void describe(Fields& fields, ProblemEvent& event) {
  describe(fields, event.problem);
  if (!kReadsJson<Fields> && !event.sample) return;
  fields("sample", event.sample);
  fields("failed_samples", event.failedSamples);
}

template <class Fields>
void describe(Fields& fields, ProgressEvent& event) {
  fields("done", event.done);
  fields("of", event.of);
  fields("seconds_left", event.secondsLeft);
  if (kReadsJson<Fields> || !event.what.empty()) fields("what", event.what);
}

template <class Fields>
void describe(Fields& fields, BlockEvent& event) {
  fields("disturbed", event.disturbed);
  fields("replaced", event.replaced);
  fields.text("disturbance", event.disturbance);
  fields("rates", event.rates);
}

template <class Fields>
void describe(Fields& fields, ResultEvent& event) {
  int version = 1;
  fields(kFormatVersionKey, version);
  fields.text(kRunIdKey, event.runId);
  fields(kPipelineKey, event.pipeline);
  describe(fields, event.result);
}

template <class Fields>
void describe(Fields& fields, AnswerEvent& event) {
  fields("id", event.id);
  fields("ok", event.ok);
  fields.text("error", event.error);
}

/// A boolean, a whole number, another number, or a text.
template <>
struct JsonConverter<SettingValue> {
  static Json write(const SettingValue& value) {
    return std::visit([](const auto& each) { return jsonOf(each); }, value);
  }
  static void read(const Json& json, SettingValue& value) {
    if (json.is_boolean()) value = json.get<bool>();
    if (hasJsonTypeOf<std::int64_t>(json)) value = json.get<std::int64_t>();
    if (json.is_number_float()) value = json.get<double>();
    if (json.is_string()) value = json.get<std::string>();
  }
};

template <class Fields>
void describe(Fields& fields, SettingRecord& setting) {
  fields("node", setting.node);
  fields("param", setting.param);
  fields("value", setting.value);
}

template <class Fields>
void describe(Fields& fields, RecordEvent& event) {
  fields("document", event.document);
  fields("settings", event.settings);
  EnvironmentByKey environment{event.environment};
  fields("environment", environment);
}

template <class Fields>
void describe(Fields& fields, PageEvent& event) {
  fields("text", event.text);
}

}  // namespace millrace
