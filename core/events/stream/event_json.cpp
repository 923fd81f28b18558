// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/event_json.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/events/json/json_text.h"
#include "core/events/stream/gpu_json.h"

namespace millrace {

namespace {

/// File names may have any bytes.
std::string text(const std::string& bytes) { return validUtf8(bytes); }

/// `rateJson` has the keys that a page of several rates needs.
Json allRateJson(const RateFigures& rate) {
  return {{"mean", orNull(rate.mean)},        {"median", orNull(rate.median)},
          {"p05", orNull(rate.p05)},          {"p95", orNull(rate.p95)},
          {"ci95_low", orNull(rate.ci95Low)}, {"ci95_high", orNull(rate.ci95High)},
          {"windows", rate.windows}};
}

/// Null if the node has no further counters.
Json countsJson(const std::vector<NamedCount>& counters) {
  Json counts;
  for (const NamedCount& counted : counters) counts[counted.name] = counted.count;
  return counts;
}

Json nodeJson(const NodeFigures& node) {
  return {{"id", node.id},
          {"kind", node.kind},
          {"items", orNull(node.items)},
          {"bytes_in", orNull(node.bytesIn)},
          {"bytes_out", orNull(node.bytesOut)},
          {"failed", orNull(node.failed)},
          {"busy_seconds", orNull(node.busySeconds)},
          {"cpu_seconds", orNull(node.cpuSeconds)},
          {"mean_ms", orNull(node.meanMs)},
          {"counts", countsJson(node.counters)},
          {"p95_ms", orNull(node.p95Ms)},
          {"fused_into", orNull(node.fusedInto)}};
}

Json queueJson(const QueueFigures& queue) {
  return {{"id", queue.id},
          {"from", queue.from},
          {"to", queue.to},
          {"capacity", queue.capacity},
          {"mean_fill", orNull(queue.meanFill)},
          {"empty_share", orNull(queue.emptyShare)},
          {"full_share", orNull(queue.fullShare)},
          {"reader_wait_seconds", orNull(queue.readerWaitSeconds)},
          {"writer_wait_seconds", orNull(queue.writerWaitSeconds)},
          {"head_of_line_seconds", orNull(queue.headOfLineSeconds)}};
}

Json stageJson(const StageFigures& stage) {
  return {{"id", stage.id},
          {"threads", stage.threads},
          {"cpu_seconds", orNull(stage.cpuSeconds)},
          {"run_delay_seconds", orNull(stage.runDelaySeconds)},
          {"between_nodes_seconds", orNull(stage.betweenSeconds)}};
}

Json windowJson(const RateWindow& window) {
  return {{"start_seconds", window.startSeconds},
          {"seconds", window.seconds},
          {"samples", window.samples},
          {"batches", window.batches}};
}

template <class Items, class F>
Json arrayOf(const Items& items, F f) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(f(item));
  return array;
}

Json trainingJson(const std::optional<TrainingFigures>& training) {
  if (!training) return nullptr;
  return {{"steps", training->steps},
          {"forward_ms", training->forwardMs},
          {"backward_ms", training->backwardMs},
          {"update_ms", training->updateMs},
          {"skipped_updates", training->skippedUpdates},
          {"first_loss", training->firstLoss},
          {"loss", training->loss},
          {"loss_scale", training->lossScale},
          {"libraries", text(training->libraries)}};
}

Json spanJson(const SpanFigures& span) {
  return {{"samples", span.samples},
          {"batches", span.batches},
          {"failed_samples", span.failedSamples},
          {"seconds", span.seconds},
          {"samples_per_second", allRateJson(span.samplesPerSecond)},
          {"batches_per_second", allRateJson(span.batchesPerSecond)},
          {"lockstep_samples_per_second", orNull(span.lockstepSamplesPerSecond)},
          {"input_bytes_per_second", orNull(span.inputBytesPerSecond)},
          {"cpu_seconds_per_1000_samples", orNull(span.cpuSecondsPer1000Samples)},
          {"peak_rss_bytes", orNull(span.peakRssBytes)},
          {"accelerator", gpuJson(span.accelerator)},
          {"step_share", orNull(span.stepShare)},
          {"step_over_nominal", orNull(span.stepOverNominal)},
          {"wait_p95_ms", orNull(span.waitP95Ms)},
          {"other_busy_share", orNull(span.otherBusyShare)},
          {"steal_share", orNull(span.stealShare)},
          {"core_speed_change", orNull(span.coreSpeedChange)},
          {"core_exchange_change", orNull(span.interCoreLatencyChange)},
          {"throttles", orNull(span.throttles)},
          {"other_disk_share", orNull(span.otherDiskShare)},
          {"page_cache_change", orNull(span.pageCacheChange)},
          {"read_latency_ms", orNull(span.readLatencyMs)},
          {"major_faults", orNull(span.majorFaults)},
          {"training", trainingJson(span.training)},
          {"nodes", arrayOf(span.nodes, nodeJson)},
          {"queues", arrayOf(span.queues, queueJson)},
          {"stages", arrayOf(span.stages, stageJson)}};
}

Json repeatJson(const SpanFigures& span) {
  Json repeat = spanJson(span);
  repeat["windows"] = arrayOf(span.windows, windowJson);
  return repeat;
}

/// Figures of one rank; nodes and queues are in the gathered result only.
Json rankJson(const RankFigures& rank) {
  const SpanFigures& span = rank.figures;
  return {{"rank", rank.rank},
          {"gpu", rank.gpu.empty() ? Json() : Json(text(rank.gpu))},
          {"samples", span.samples},
          {"batches", span.batches},
          {"failed_samples", span.failedSamples},
          {"seconds", span.seconds},
          {"samples_per_second", allRateJson(span.samplesPerSecond)},
          {"batches_per_second", allRateJson(span.batchesPerSecond)},
          {"cpu_seconds_per_1000_samples", orNull(span.cpuSecondsPer1000Samples)},
          {"peak_rss_bytes", orNull(span.peakRssBytes)},
          {"step_share", orNull(span.stepShare)},
          {"wait_p95_ms", orNull(span.waitP95Ms)},
          {"accelerator", gpuJson(span.accelerator)}};
}

Json cacheJson(const CacheFigures& cache) {
  const SampleCache::Fill& fill = cache.fill;
  return {{"id", cache.id},
          {"samples", fill.entries},
          {"bytes", fill.bytes},
          {"limit_bytes", fill.limitBytes},
          {"hits", fill.hits},
          {"misses", fill.misses},
          {"damaged", fill.damaged},
          {"stopped", fill.stopped.empty() ? Json() : Json(text(fill.stopped))}};
}

Json resultObject(const RunResult& result, const RunIdentity& identity) {
  Json json = spanJson(result.figures);
  json[kFormatVersionKey] = 1;
  json[kRunIdKey] = identity.runId.empty() ? Json() : Json(identity.runId);
  json[kPipelineKey] = text(identity.pipeline);
  json[kOutcomeKey] = nameOf(result.outcome);
  json[kReasonKey] = result.reason.empty() ? Json() : Json(text(result.reason));
  json["live_changes"] = arrayOf(result.liveChanges, [](const LiveChange& change) {
    return Json{{"node", change.node}, {"param", change.param}, {"value", text(change.value)}};
  });
  json["failures"] = arrayOf(result.failures, [](const FailedSample& failure) {
    return Json{{"sample", text(failure.sample)}, {"reason", text(failure.reason)}};
  });
  json["caches"] = result.caches ? arrayOf(*result.caches, cacheJson) : Json();
  json["repeats"] = arrayOf(result.repeats, repeatJson);
  json["ranks"] = result.ranks.empty() ? Json() : arrayOf(result.ranks, rankJson);
  Json environment = Json::object();
  for (const auto& [key, value] : result.environment) environment[key] = text(value);
  json["environment"] = environment;
  return json;
}

std::string event(const char* name, double time, Json json) {
  json["event"] = name;
  json["time"] = time;
  return dumpJson(json);
}

Json idsOf(const Plan& plan, const std::vector<std::size_t>& nodes) {
  return arrayOf(nodes, [&](std::size_t i) { return Json(plan.node(i).id); });
}

Json planObject(const Plan& plan) {
  Json stages = arrayOf(plan.stages, [&](const PlanStage& stage) {
    Json groups = Json::array();
    for (const StageSegment& segment : stage.segments)
      for (const PlanGroup& group : segment.sampleGroups)
        if (group.nodes.size() > 1) groups.push_back(idsOf(plan, group.nodes));
    for (const PlanGroup& group : stage.deviceGroups)
      if (group.nodes.size() > 1) groups.push_back(idsOf(plan, group.nodes));
    return Json{{"id", stage.id},
                {"threads", stage.threads},
                {"on_consumer", stage.onConsumer},
                {"unit", stage.unit == WorkUnit::Batch ? "batch" : "sample"},
                {"order", stage.order == DeliveryOrder::Ready ? "ready" : "strict"},
                {"nodes", idsOf(plan, stage.nodes)},
                {"fused", groups}};
  });
  Json queues = arrayOf(plan.queues, [](const PlanQueue& queue) {
    return Json{{"id", queue.id},
                {"from", queue.from},
                {"to", queue.to},
                {"unit", "batches"},
                {"capacity", queue.capacity},
                {"slots", queue.slotCount},
                {"batch_bytes", queue.anySize ? 0 : queue.batchBytes}};
  });
  Json wires = arrayOf(plan.pipeline.nodes, [](const CheckedNode& node) {
    return Json{{"node", node.id}, {"kind", node.spec->kind}, {"out", node.out.text()}};
  });
  return {{"order", idsOf(plan, plan.orderNodes)},
          {"stages", stages},
          {"queues", queues},
          {"nodes", wires},
          {"text", plan.text()}};
}

Json phaseObject(const RunPhase& phase) {
  return {{"repeat", phase.repeat + 1},
          {"repeats", phase.repeats},
          {"phase", phase.warmup ? "warm-up" : "measured"},
          {"seconds_left", phase.secondsLeft}};
}

Json problemObject(const Problem& problem) {
  return {{"severity", problem.severity == Severity::Error ? "error" : "warning"},
          {"node", problem.node.empty() ? Json() : Json(problem.node)},
          {"field", problem.field.empty() ? Json() : Json(problem.field)},
          {"message", text(problem.message)},
          {"remedy", text(problem.remedy)}};
}

Json snapshotNodes(const Plan& plan, const RunTotals& totals) {
  Json nodes = Json::array();
  for (std::size_t i = 0; i < totals.nodes.size(); ++i) {
    const NodeTotals& node = totals.nodes[i];
    const bool timed = node.timedItems > 0;
    nodes.push_back({{"id", plan.node(i).id},
                     {"items", node.items},
                     {"failed", node.failed},
                     {"bytes_out", node.bytesOut},
                     {"busy_seconds", timed ? Json(node.busySeconds()) : Json()},
                     {"mean_ms", timed ? Json(node.meanMs()) : Json()}});
  }
  return nodes;
}

Json snapshotQueues(const Plan& plan, const RunTotals& totals) {
  Json queues = Json::array();
  for (std::size_t i = 0; i < totals.queues.size(); ++i) {
    const QueueTotals& queue = totals.queues[i];
    queues.push_back({{"id", plan.queues[i].id},
                      {"fill", queue.fill},
                      {"batches", queue.batches},
                      {"seconds", queue.seconds},
                      {"empty_seconds", queue.emptySeconds},
                      {"full_seconds", queue.fullSeconds},
                      {"empty_share", queue.seconds > 0 ? queue.emptySeconds / queue.seconds : 0},
                      {"full_share", queue.seconds > 0 ? queue.fullSeconds / queue.seconds : 0}});
  }
  return queues;
}

}  // namespace

std::string_view nameOf(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::Finished: return "finished";
    case RunOutcome::Failed: return "failed";
    case RunOutcome::Interrupted: return "interrupted";
  }
  return "?";
}

std::string resultJson(const RunResult& result, const RunIdentity& identity, bool indented) {
  return dumpJson(resultObject(result, identity), indented);
}

std::string helloEvent(double time, const std::string& engineVersion) {
  return event("hello", time,
               {{"version", fmt::format("{}.{}", kEventFormatMajor, kEventFormatMinor)},
                {"engine", engineVersion}});
}

std::string planEvent(double time, const Plan& plan) {
  return event("plan", time, planObject(plan));
}

std::string phaseEvent(double time, const RunPhase& phase) {
  return event("phase", time, phaseObject(phase));
}

std::string waitingEvent(double time, const RunPhase& phase) {
  return event("waiting", time,
               {{"for", "cores"},
                {"repeat", phase.repeat + 1},
                {"repeats", phase.repeats},
                {"seconds_left", phase.secondsLeft}});
}

std::string snapshotEvent(double time, const Plan& plan, const RunSnapshot& snapshot,
                          const RunIdentity& identity, std::uint64_t droppedSnapshots) {
  const RunTotals& totals = snapshot.totals;
  Json json = {{kRunIdKey, identity.runId.empty() ? Json() : Json(identity.runId)},
               {"phase", phaseObject(snapshot.phase)},
               {"seconds", snapshot.seconds},
               {"samples", totals.samples},
               {"batches", totals.batches},
               {"failed_samples", totals.failedSamples},
               {"read_bytes", totals.readBytes},
               {"step_seconds", totals.stepSeconds},
               {"nodes", snapshotNodes(plan, totals)},
               {"queues", snapshotQueues(plan, totals)},
               {"cpu_seconds", snapshot.host.cpuSeconds},
               {"rss_bytes", orNull(snapshot.host.memory.rssBytes)},
               {"accelerator", gpuJson(snapshot.gpu)},
               {"dropped_snapshots", droppedSnapshots}};
  Json cores = Json::array();
  if (snapshot.host.machine)
    for (const CoreTimes& core : snapshot.host.machine->cores)
      cores.push_back(
          {{"core", core.core}, {"busy_seconds", core.busy()}, {"total_seconds", core.total()}});
  json["cores"] = cores;
  return event("snapshot", time, std::move(json));
}

std::string readyEvent(double time, std::size_t repeat) {
  return event("ready", time, {{"repeat", repeat + 1}});
}

std::string repeatEvent(double time, std::size_t repeat, const SpanFigures& figures) {
  Json json = repeatJson(figures);
  json["repeat"] = repeat + 1;
  return event("repeat", time, std::move(json));
}

std::string windowEvent(double time, std::size_t repeat, const RateWindow& window) {
  Json json = windowJson(window);
  json["repeat"] = repeat + 1;
  json["samples_per_second"] = window.rate();
  return event("window", time, std::move(json));
}

std::string problemEvent(double time, const Problem& problem) {
  return event("problem", time, problemObject(problem));
}

std::string failureEvent(double time, const FailedSample& failure, std::uint64_t total) {
  return event("problem", time,
               {{"severity", "warning"},
                {"node", Json()},
                {"field", Json()},
                {"sample", text(failure.sample)},
                {"message", text(failure.reason)},
                {"remedy", ""},
                {"failed_samples", total}});
}

std::string progressEvent(double time, std::uint64_t done, std::uint64_t of, double secondsLeft,
                          const std::string& what) {
  Json content = {{"done", done}, {"of", of}, {"seconds_left", secondsLeft}};
  if (!what.empty()) content["what"] = what;
  return event("progress", time, std::move(content));
}

std::string resultEvent(double time, const RunResult& result, const RunIdentity& identity) {
  return event("result", time, resultObject(result, identity));
}

std::string answerEvent(double time, std::int64_t id, const std::string& error) {
  return event(
      "answer", time,
      {{"id", id}, {"ok", error.empty()}, {"error", error.empty() ? Json() : Json(text(error))}});
}

std::string planJson(const Plan& plan, bool indented) {
  return dumpJson(planObject(plan), indented);
}

std::string problemsJson(const std::vector<Problem>& problems, bool indented) {
  return dumpJson(arrayOf(problems, problemObject), indented);
}

}  // namespace millrace
