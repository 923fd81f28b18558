// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/run_counters_of.h"

#include <algorithm>
#include <charconv>

namespace millrace {

namespace {

WorkKind workOf(const NodeSpec& spec) {
  switch (spec.role) {
    case NodeRole::Source: return WorkKind::Read;
    case NodeRole::Consumer: return WorkKind::Step;
    case NodeRole::Image:
    case NodeRole::Sample:
    case NodeRole::BatchOp:
      return spec.category == Category::Decode ? WorkKind::Decode : WorkKind::Augment;
    case NodeRole::Order:
    case NodeRole::Cache:
    case NodeRole::Workers:
    case NodeRole::Batch:
    case NodeRole::Prefetch:
    case NodeRole::Transfer:
    case NodeRole::Choice: break;
  }
  return WorkKind::Other;
}

RunCounters::Node nodeOf(const Plan& plan, const SpanFigures& figures, std::size_t i) {
  RunCounters::Node node;
  node.id = plan.node(i).id;
  node.work = workOf(*plan.node(i).spec);
  if (i >= figures.nodes.size()) return node;
  node.busySeconds = figures.nodes[i].busySeconds;
  node.fusedInto = figures.nodes[i].fusedInto.value_or("");
  node.service = figures.nodes[i].service;
  if (figures.nodes[i].bytesIn.value_or(0) > 0 && figures.nodes[i].bytesOut)
    node.keptBytes = static_cast<double>(*figures.nodes[i].bytesOut) /
                     static_cast<double>(*figures.nodes[i].bytesIn);
  return node;
}

RunCounters::Stage stageOf(const Plan& plan, const SpanFigures& figures, std::size_t s) {
  const PlanStage& planned = plan.stages[s];
  RunCounters::Stage stage;
  stage.id = planned.id;
  stage.threads = planned.threads;
  stage.strict = planned.order == DeliveryOrder::Strict;
  stage.wholeBatches = planned.unit == WorkUnit::Batch;
  if (s == 0) stage.nodes.push_back(nodeOf(plan, figures, plan.source));
  for (const std::size_t i : planned.nodes) {
    if (plan.node(i).spec->role == NodeRole::Workers) stage.workers = plan.node(i).id;
    if (i != plan.source) stage.nodes.push_back(nodeOf(plan, figures, i));
  }
  // The first node of a fused group has the byte counters of the whole group.
  for (const RunCounters::Node& node : stage.nodes) {
    const auto head = std::ranges::find(stage.nodes, node.fusedInto, &RunCounters::Node::id);
    if (head != stage.nodes.end()) head->keptBytes.reset();
  }
  if (s >= figures.stages.size()) return stage;
  stage.cpuSeconds = figures.stages[s].cpuSeconds;
  stage.runDelaySeconds = figures.stages[s].runDelaySeconds;
  stage.betweenSeconds = figures.stages[s].betweenSeconds;
  return stage;
}

bool isPrefetch(const Plan& plan, const std::string& id) {
  return std::ranges::any_of(plan.pipeline.nodes, [&](const CheckedNode& node) {
    return node.id == id && node.spec->role == NodeRole::Prefetch;
  });
}

std::optional<double> times(const std::optional<double>& value, double factor) {
  if (!value) return std::nullopt;
  return *value * factor;
}

/// Waits are means over the repeats; everything else here is a total.
RunCounters::Queue queueOf(const Plan& plan, const QueueFigures& figures, double repeats) {
  RunCounters::Queue queue;
  queue.id = figures.id;
  if (isPrefetch(plan, figures.id)) queue.prefetch = figures.id;
  queue.capacity = figures.capacity;
  queue.emptyShare = figures.emptyShare;
  queue.fullShare = figures.fullShare;
  queue.readerWaitSeconds = times(figures.readerWaitSeconds, repeats);
  queue.writerWaitSeconds = times(figures.writerWaitSeconds, repeats);
  queue.headOfLineSeconds = times(figures.headOfLineSeconds, repeats);
  return queue;
}

std::optional<double> numberIn(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

}  // namespace

RunSurroundings surroundingsOf(
    const std::vector<std::pair<std::string, std::string>>& environment) {
  RunSurroundings known;
  for (const auto& [key, value] : environment) {
    if (key == "cores_usable") known.cores = numberIn(value);
    if (key == "page_cache_resident_share") known.residentShare = numberIn(value);
  }
  return known;
}

std::optional<double> sampleBytesOf(const StreamType& stream) {
  double bytes = 0;
  for (const FieldSpec& field : stream.fields) {
    if (field.dtype == DType::Encoded || !field.shape.known()) return std::nullopt;
    bytes += static_cast<double>(field.shape.elements()) * static_cast<double>(sizeOf(field.dtype));
  }
  return bytes;
}

RunCounters countersOf(const Plan& plan, const std::vector<SpanFigures>& repeats,
                       const RunSurroundings& surroundings) {
  RunCounters counters;
  if (repeats.empty()) return counters;
  const SpanFigures figures = combineRepeats(repeats);
  counters.seconds = figures.seconds;
  counters.samples = figures.samples;
  counters.batches = figures.batches;
  counters.failedSamples = figures.failedSamples;
  for (std::size_t s = 0; s < plan.stages.size(); ++s)
    counters.stages.push_back(stageOf(plan, figures, s));
  for (const QueueFigures& queue : figures.queues)
    counters.queues.push_back(queueOf(plan, queue, static_cast<double>(repeats.size())));
  counters.batchNode = plan.node(plan.batchNode).id;
  counters.batchSize = static_cast<std::size_t>(plan.batch.size);
  counters.sampleBytes = sampleBytesOf(plan.node(plan.batchNode).out);
  counters.stepShare = figures.stepShare;
  counters.stepOverNominal = figures.stepOverNominal;
  counters.cores = surroundings.cores;
  counters.residentShare = surroundings.residentShare;
  counters.cpuSeconds =
      times(figures.cpuSecondsPer1000Samples, static_cast<double>(figures.samples) / 1000);
  counters.otherBusyShare = figures.otherBusyShare;
  counters.stealShare = figures.stealShare;
  counters.readLatencyMs = figures.readLatencyMs;
  if (plan.node(plan.source).spec->readAhead) counters.readAhead = plan.readAhead.samples;
  return counters;
}

}  // namespace millrace
