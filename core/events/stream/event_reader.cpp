// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/event_reader.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/events/json/json_read.h"
#include "core/events/search/search_reader.h"
#include "core/events/stream/event_json.h"

namespace millrace {

namespace {

using Json = nlohmann::json;
using json_read::at;
using json_read::itemsAt;
using json_read::read;
using json_read::readAll;

void read(const Json& json, PlanEvent::Stage& to) {
  readAll(json, "id", to.id, "threads", to.threads, "on_consumer", to.onConsumer, "nodes",
          to.nodes);
  for (const Json& group : itemsAt(json, "fused")) read(group, to.fused.emplace_back());
}
void read(const Json& json, PlanEvent::Queue& to) {
  readAll(json, "id", to.id, "from", to.from, "to", to.to, "unit", to.unit, "capacity",
          to.capacity);
}
void read(const Json& json, PlanEvent::Node& to) {
  readAll(json, "node", to.id, "kind", to.kind, "out", to.out);
}
void read(const Json& json, SnapshotEvent::Node& to) {
  readAll(json, "id", to.id, "items", to.items, "failed", to.failed, "bytes_out", to.bytesOut,
          "busy_seconds", to.busySeconds, "mean_ms", to.meanMs);
}
void read(const Json& json, SnapshotEvent::Queue& to) {
  readAll(json, "id", to.id, "fill", to.fill, "batches", to.batches, "seconds", to.seconds,
          "empty_seconds", to.emptySeconds, "full_seconds", to.fullSeconds);
}
void read(const Json& json, SnapshotEvent::Core& to) {
  readAll(json, "core", to.core, "busy_seconds", to.busySeconds, "total_seconds", to.totalSeconds);
}
void read(const Json& json, RunPhase& to) {
  std::uint64_t repeat = 1;
  std::uint64_t repeats = 1;
  std::string name;
  readAll(json, "repeat", repeat, "repeats", repeats, "phase", name, "seconds_left",
          to.secondsLeft);
  to.repeat = static_cast<std::size_t>(repeat > 0 ? repeat - 1 : 0);
  to.repeats = static_cast<std::size_t>(repeats);
  to.warmup = name == "warm-up";
}
void read(const Json& json, RateWindow& to) {
  readAll(json, "start_seconds", to.startSeconds, "seconds", to.seconds, "samples", to.samples,
          "batches", to.batches);
}
void read(const Json& json, FailedSample& to) {
  readAll(json, "sample", to.sample, "reason", to.reason);
}
void read(const Json& json, RateFigures& to) {
  std::uint64_t windows = 0;
  readAll(json, "mean", to.mean, "median", to.median, "p05", to.p05, "p95", to.p95, "ci95_low",
          to.ci95Low, "ci95_high", to.ci95High, "windows", windows);
  to.windows = static_cast<std::size_t>(windows);
}
void read(const Json& json, NodeFigures& to) {
  readAll(json, "id", to.id, "kind", to.kind, "items", to.items, "bytes_in", to.bytesIn,
          "bytes_out", to.bytesOut, "failed", to.failed, "busy_seconds", to.busySeconds,
          "cpu_seconds", to.cpuSeconds, "mean_ms", to.meanMs, "p95_ms", to.p95Ms, "fused_into",
          to.fusedInto);
}
void read(const Json& json, QueueFigures& to) {
  readAll(json, "id", to.id, "from", to.from, "to", to.to, "capacity", to.capacity, "mean_fill",
          to.meanFill, "empty_share", to.emptyShare, "full_share", to.fullShare,
          "reader_wait_seconds", to.readerWaitSeconds, "writer_wait_seconds", to.writerWaitSeconds,
          "head_of_line_seconds", to.headOfLineSeconds);
}
void read(const Json& json, StageFigures& to) {
  readAll(json, "id", to.id, "threads", to.threads, "cpu_seconds", to.cpuSeconds,
          "run_delay_seconds", to.runDelaySeconds, "between_nodes_seconds", to.betweenSeconds);
}
void read(const Json& json, std::optional<GpuFigures>& to) {
  if (!json.is_object()) return;
  to.emplace();
  readAll(json, "name", to->name, "ended", to->ended, "samples", to->samples);
  for (const GpuField& field : gpuFields())
    read(at(json, std::string(field.key).c_str()), to->values.*field.value);
  for (const Json& reason : itemsAt(json, "throttle_reasons"))
    if (reason.is_string())
      to->values.throttleReasons |= gpuThrottleBit(reason.get_ref<const std::string&>());
}
void read(const Json& json, std::optional<TrainingFigures>& to) {
  if (!json.is_object()) return;
  to.emplace();
  readAll(json, "steps", to->steps, "forward_ms", to->forwardMs, "backward_ms", to->backwardMs,
          "update_ms", to->updateMs, "skipped_updates", to->skippedUpdates, "first_loss",
          to->firstLoss, "loss", to->loss, "loss_scale", to->lossScale, "libraries", to->libraries);
}
void read(const Json& json, SpanFigures& to) {
  readAll(json, "samples", to.samples, "batches", to.batches, "failed_samples", to.failedSamples,
          "seconds", to.seconds, "lockstep_samples_per_second", to.lockstepSamplesPerSecond,
          "input_bytes_per_second", to.inputBytesPerSecond, "cpu_seconds_per_1000_samples",
          to.cpuSecondsPer1000Samples, "peak_rss_bytes", to.peakRssBytes, "step_share",
          to.stepShare, "step_over_nominal", to.stepOverNominal, "wait_p95_ms", to.waitP95Ms,
          "other_busy_share", to.otherBusyShare, "steal_share", to.stealShare, "core_speed_change",
          to.coreSpeedChange, "core_exchange_change", to.interCoreLatencyChange, "throttles",
          to.throttles, "other_disk_share", to.otherDiskShare, "page_cache_change",
          to.pageCacheChange, "read_latency_ms", to.readLatencyMs, "major_faults", to.majorFaults);
  read(at(json, "accelerator"), to.accelerator);
  read(at(json, "training"), to.training);
  read(at(json, "samples_per_second"), to.samplesPerSecond);
  read(at(json, "batches_per_second"), to.batchesPerSecond);
  for (const Json& node : itemsAt(json, "nodes")) read(node, to.nodes.emplace_back());
  for (const Json& queue : itemsAt(json, "queues")) read(queue, to.queues.emplace_back());
  for (const Json& stage : itemsAt(json, "stages")) read(stage, to.stages.emplace_back());
  for (const Json& window : itemsAt(json, "windows")) read(window, to.windows.emplace_back());
}

void read(const Json& json, RankFigures& to) {
  readAll(json, "rank", to.rank, "gpu", to.gpu);
  read(json, to.figures);
}

/// The index, from 0, of `repeat`, which counts from 1.
std::size_t repeatOf(const Json& json) {
  std::uint64_t repeat = 1;
  readAll(json, "repeat", repeat);
  return static_cast<std::size_t>(repeat > 0 ? repeat - 1 : 0);
}

HelloEvent helloOf(const Json& json) {
  HelloEvent event;
  readAll(json, "version", event.version, "engine", event.engine);
  return event;
}

PlanEvent planOf(const Json& json) {
  PlanEvent event;
  readAll(json, "order", event.order, "text", event.text);
  for (const Json& stage : itemsAt(json, "stages")) read(stage, event.stages.emplace_back());
  for (const Json& queue : itemsAt(json, "queues")) read(queue, event.queues.emplace_back());
  for (const Json& node : itemsAt(json, "nodes")) read(node, event.nodes.emplace_back());
  return event;
}

SnapshotEvent snapshotOf(const Json& json) {
  SnapshotEvent event;
  readAll(json, kRunIdKey, event.runId, "seconds", event.seconds, "samples", event.samples,
          "batches", event.batches, "failed_samples", event.failedSamples, "read_bytes",
          event.readBytes, "step_seconds", event.stepSeconds, "cpu_seconds", event.cpuSeconds,
          "rss_bytes", event.rssBytes, "dropped_snapshots", event.droppedSnapshots);
  read(at(json, "phase"), event.phase);
  read(at(json, "accelerator"), event.accelerator);
  for (const Json& node : itemsAt(json, "nodes")) read(node, event.nodes.emplace_back());
  for (const Json& queue : itemsAt(json, "queues")) read(queue, event.queues.emplace_back());
  for (const Json& core : itemsAt(json, "cores")) read(core, event.cores.emplace_back());
  return event;
}

WindowEvent windowOf(const Json& json) {
  WindowEvent event;
  event.repeat = repeatOf(json);
  read(json, event.window);
  return event;
}

RepeatEvent repeatEventOf(const Json& json) {
  RepeatEvent event;
  event.repeat = repeatOf(json);
  read(json, event.figures);
  return event;
}

ProblemEvent problemOf(const Json& json) {
  ProblemEvent event;
  std::string severity;
  readAll(json, "severity", severity, "node", event.problem.node, "field", event.problem.field,
          "message", event.problem.message, "remedy", event.problem.remedy, "sample", event.sample,
          "failed_samples", event.failedSamples);
  event.problem.severity = severity == "warning" ? Severity::Warning : Severity::Error;
  return event;
}

ProgressEvent progressOf(const Json& json) {
  ProgressEvent event;
  readAll(json, "done", event.done, "of", event.of, "seconds_left", event.secondsLeft, "what",
          event.what);
  return event;
}

BlockEvent blockOf(const Json& json) {
  BlockEvent event;
  readAll(json, "disturbed", event.disturbed, "replaced", event.replaced, "disturbance",
          event.disturbance);
  for (const Json& rate : itemsAt(json, "rates")) read(rate, event.rates.emplace_back());
  return event;
}

ResultEvent resultOf(const Json& json, std::string_view line) {
  ResultEvent event;
  std::string outcome;
  readAll(json, kRunIdKey, event.runId, kPipelineKey, event.pipeline, kOutcomeKey, outcome,
          kReasonKey, event.result.reason);
  event.result.outcome = outcome == nameOf(RunOutcome::Finished)      ? RunOutcome::Finished
                         : outcome == nameOf(RunOutcome::Interrupted) ? RunOutcome::Interrupted
                                                                      : RunOutcome::Failed;
  read(json, event.result.figures);
  for (const Json& repeat : itemsAt(json, "repeats"))
    read(repeat, event.result.repeats.emplace_back());
  for (const Json& rank : itemsAt(json, "ranks")) read(rank, event.result.ranks.emplace_back());
  for (const Json& failure : itemsAt(json, "failures"))
    read(failure, event.result.failures.emplace_back());
  const Json& environment = at(json, "environment");
  if (environment.is_object())
    for (const auto& [key, value] : environment.items())
      if (value.is_string()) event.result.environment.emplace_back(key, value.get<std::string>());
  event.json = line;
  return event;
}

AnswerEvent answerOf(const Json& json) {
  AnswerEvent event;
  readAll(json, "id", event.id, "ok", event.ok, "error", event.error);
  return event;
}

RunPhase phaseOf(const Json& json) {
  RunPhase phase;
  read(json, phase);
  return phase;
}

void setContent(StreamEvent& event, const std::string& name, const Json& json,
                std::string_view line) {
  if (name == "hello")
    event.content = helloOf(json);
  else if (name == "plan")
    event.content = planOf(json);
  else if (name == "waiting")
    event.content = WaitingEvent{phaseOf(json)};
  else if (name == "phase")
    event.content = phaseOf(json);
  else if (name == "snapshot")
    event.content = snapshotOf(json);
  else if (name == "ready")
    event.content = ReadyEvent{repeatOf(json)};
  else if (name == "repeat")
    event.content = repeatEventOf(json);
  else if (name == "window")
    event.content = windowOf(json);
  else if (name == "problem")
    event.content = problemOf(json);
  else if (name == "progress")
    event.content = progressOf(json);
  else if (name == "block")
    event.content = blockOf(json);
  else if (name == "result")
    event.content = resultOf(json, line);
  else if (name == "answer")
    event.content = answerOf(json);
  else if (!readSearchEvent(name, json, event))
    event.content = UnknownEvent{name};
}

}  // namespace

Status EventReader::greet(const HelloEvent& hello) {
  int major = -1;
  const char* end = hello.version.data() + hello.version.size();
  const auto [stopped, code] = std::from_chars(hello.version.data(), end, major);
  const bool numbered = code == std::errc{} && (stopped == end || *stopped == '.');
  if (!numbered || major != kEventFormatMajor) {
    m_refused = Error{fmt::format(
        "the engine `{}` writes event format `{}`, but this program reads {}.x; use an engine and "
        "a program of the same release",
        hello.engine, hello.version, kEventFormatMajor)};
    return *m_refused;
  }
  m_hello = hello;
  return {};
}

Result<StreamEvent> EventReader::read(std::string_view line) {
  if (m_refused) return *m_refused;
  constexpr std::size_t kShown = 80;
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object())
    return Error{fmt::format("a line of the event stream is not a JSON object: `{}`",
                             validUtf8(line.substr(0, kShown)))};
  std::string name;
  StreamEvent event;
  readAll(json, "event", name, "time", event.time);
  if (name.empty())
    return Error{fmt::format("a line of the event stream has no `event`: `{}`",
                             validUtf8(line.substr(0, kShown)))};
  if (!m_hello && name != "hello")
    return Error{fmt::format("an event stream must begin with `hello`, not with `{}`",
                             name.substr(0, kShown))};
  setContent(event, name, json, line);
  if (const auto* hello = std::get_if<HelloEvent>(&event.content))
    if (Status greeted = greet(*hello); !greeted) return greeted.error();
  return event;
}

}  // namespace millrace
