// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/event_json.h"

#include <utility>

#include <fmt/format.h>

#include "core/base/text/parsed_json.h"
#include "core/events/stream/event_fields.inl"

namespace millrace {

namespace {

std::vector<std::string> idsOf(const Plan& plan, const std::vector<std::size_t>& nodes) {
  std::vector<std::string> ids;
  for (const std::size_t node : nodes) ids.push_back(plan.node(node).id);
  return ids;
}

PlanEvent::Stage stageOf(const Plan& plan, const PlanStage& stage) {
  PlanEvent::Stage event{.id = stage.id,
                         .threads = stage.threads,
                         .onConsumer = stage.onConsumer,
                         .unit = stage.unit == WorkUnit::Batch ? "batch" : "sample",
                         .order = stage.order == DeliveryOrder::Ready ? "ready" : "strict",
                         .nodes = idsOf(plan, stage.nodes),
                         .fused = {}};
  const auto addFused = [&](const std::vector<PlanGroup>& groups) {
    for (const PlanGroup& group : groups)
      if (group.nodes.size() > 1) event.fused.push_back(idsOf(plan, group.nodes));
  };
  for (const StageSegment& segment : stage.segments) addFused(segment.sampleGroups);
  addFused(stage.deviceGroups);
  return event;
}

ResultEvent eventOf(const RunResult& result, const RunIdentity& identity) {
  return {identity.runId, identity.pipeline, result, {}};
}

void addTotals(SnapshotEvent& event, const PlanEvent& plan, const RunTotals& totals) {
  event.samples = totals.samples;
  event.batches = totals.batches;
  event.failedSamples = totals.failedSamples;
  event.readBytes = totals.readBytes;
  event.stepSeconds = totals.stepSeconds;
  for (std::size_t i = 0; i < totals.nodes.size(); ++i) {
    const NodeTotals& node = totals.nodes[i];
    auto& to = event.nodes.emplace_back(
        SnapshotEvent::Node{plan.nodes[i].id, node.items, node.failed, node.bytesOut, {}, {}});
    if (node.timedItems == 0) continue;
    to.busySeconds = node.busySeconds();
    to.meanMs = node.meanMs();
  }
  for (std::size_t i = 0; i < totals.queues.size(); ++i) {
    const QueueTotals& queue = totals.queues[i];
    event.queues.push_back({plan.queues[i].id, queue.fill, queue.batches, queue.seconds,
                            queue.emptySeconds, queue.fullSeconds, queue.fillSeconds});
  }
}

void addHost(SnapshotEvent& event, const HostSample& host) {
  event.cpuSeconds = host.cpuSeconds;
  event.rssBytes = host.memory.rssBytes;
  event.flows = host.flows;
  if (!host.machine) return;
  for (const CoreTimes& core : host.machine->cores)
    event.cores.push_back({static_cast<std::uint64_t>(core.core), core.busy(), core.total()});
}

GpuFigures gpuNow(const GpuNews& news) {
  GpuFigures now;
  now.name = news.name;
  now.ended = news.ended;
  if (!news.samples.empty()) now.values = news.samples.back().values;
  return now;
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

PlanEvent planEventOf(const Plan& plan) {
  PlanEvent event;
  event.order = idsOf(plan, plan.orderNodes);
  for (const PlanStage& stage : plan.stages) event.stages.push_back(stageOf(plan, stage));
  for (const PlanQueue& queue : plan.queues)
    event.queues.push_back({queue.id, queue.from, queue.to, "batches", queue.capacity,
                            queue.slotCount, queue.anySize ? 0 : queue.batchBytes});
  for (const CheckedNode& node : plan.pipeline.nodes)
    event.nodes.push_back({node.id, node.spec->kind, node.out.text()});
  event.text = plan.text();
  return event;
}

std::string resultJson(const RunResult& result, const RunIdentity& identity, bool indented) {
  return dumpJson(jsonOf(eventOf(result, identity)), indented);
}

std::string helloEvent(double time, const std::string& engineVersion) {
  return lineOf(
      time, HelloEvent{fmt::format("{}.{}", kEventFormatMajor, kEventFormatMinor), engineVersion});
}

std::string planEvent(double time, const PlanEvent& plan) { return lineOf(time, plan); }

std::string planEvent(double time, const Plan& plan) { return planEvent(time, planEventOf(plan)); }

std::string phaseEvent(double time, const RunPhase& phase) { return lineOf(time, phase); }

std::string waitingEvent(double time, const RunPhase& phase) {
  return lineOf(time, WaitingEvent{phase});
}

std::string snapshotEvent(double time, const PlanEvent& plan, const RunSnapshot& snapshot,
                          const RunIdentity& identity, std::uint64_t droppedSnapshots) {
  SnapshotEvent event;
  event.runId = identity.runId;
  event.phase = snapshot.phase;
  event.seconds = snapshot.seconds;
  event.droppedSnapshots = droppedSnapshots;
  addTotals(event, plan, snapshot.totals);
  addHost(event, snapshot.host);
  if (snapshot.gpu) event.accelerator = gpuNow(*snapshot.gpu);
  return lineOf(time, event);
}

std::string readyEvent(double time, std::size_t repeat) { return lineOf(time, ReadyEvent{repeat}); }

std::string repeatEvent(double time, std::size_t repeat, const SpanFigures& figures) {
  return lineOf(time, RepeatEvent{repeat, figures});
}

std::string windowEvent(double time, std::size_t repeat, const RateWindow& window) {
  return lineOf(time, WindowEvent{repeat, window});
}

std::string problemEvent(double time, const Problem& problem) {
  return lineOf(time, ProblemEvent{problem, {}, 0});
}

std::string failureEvent(double time, const FailedSample& failure, std::uint64_t total) {
  return lineOf(
      time, ProblemEvent{{Severity::Warning, "", "", failure.reason, ""}, failure.sample, total});
}

std::string progressEvent(double time, std::uint64_t done, std::uint64_t of,
                          std::optional<double> secondsLeft, const std::string& what) {
  return lineOf(time, ProgressEvent{done, of, secondsLeft, what});
}

std::optional<double> secondsFor(std::uint64_t missing, std::uint64_t done, double seconds) {
  if (done == 0) return std::nullopt;
  return seconds * static_cast<double>(missing) / static_cast<double>(done);
}

std::string blockEvent(double time, const BlockEvent& event) { return lineOf(time, event); }

std::string resultEvent(double time, const RunResult& result, const RunIdentity& identity) {
  return lineOf(time, eventOf(result, identity));
}

std::string resultEvent(double time, const std::string& json) {
  return lineWith<ResultEvent>(time, parsedJson(json));
}

std::string recordEvent(double time, const RecordEvent& event) { return lineOf(time, event); }

std::string pageEvent(double time, const std::string& text) {
  return lineOf(time, PageEvent{text});
}

std::string lineOfRun(std::string_view line, const std::string& runId) {
  Json json = parsedJson(line);
  if (!json.is_object() || !json.contains(kRunIdKey)) return std::string(line);
  json[kRunIdKey] = orNull(runId);
  return dumpJson(json);
}

std::string answerEvent(double time, std::int64_t id, const std::string& error) {
  return lineOf(time, AnswerEvent{id, error.empty(), error});
}

std::string planJson(const Plan& plan, bool indented) {
  return dumpJson(jsonOf(planEventOf(plan)), indented);
}

std::string problemsJson(const std::vector<Problem>& problems, bool indented) {
  return dumpJson(jsonOf(problems), indented);
}

}  // namespace millrace
