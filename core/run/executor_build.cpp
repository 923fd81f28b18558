// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Makes what a run needs before its threads start: slots, rings, workers, the consumer.
#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/cuda/pinned_source.h"
#include "core/graph/plan_groups.h"
#include "core/monitor/free_memory.h"
#include "core/run/executor.h"

namespace millrace {

namespace {

/// nullptr if there is no memory for it: a run can go on with the slots that it has.
std::unique_ptr<BatchSlot> hostSlot(const PlanStage& stage, std::size_t batchSize) {
  try {
    return std::make_unique<BatchSlot>(stage, batchSize);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace

Status Executor::build() {
  m_inline = m_plan.stages.size() == 1;
  MILLRACE_TRY(openDeviceIfNeeded());
  // An inline run also has one ring: the consumer's thread fills its only slot and takes it.
  const std::size_t rings = m_inline ? 1 : m_plan.queues.size();
  for (std::size_t i = 0; i < rings; ++i) {
    MILLRACE_ASSIGN_OR_RETURN(auto slots, makeSlots(i));
    const std::size_t capacity = m_inline ? 1 : m_plan.queues[i].capacity;
    m_rings.push_back(std::make_unique<BatchRing>(
        std::move(slots), capacity, m_sampler->firstBatch(), *m_options.clock, reorderSlotsOf(i)));
    if (const auto end = m_sampler->end()) m_rings.back()->close(*end);
  }
  buildReadAhead();
  buildEarlyStarts();
  for (std::size_t i = 0; i < rings; ++i) MILLRACE_TRY(buildStage(i));
  return buildConsumer();
}

/// Must run before the workers are made, which get a pointer to it.
void Executor::buildReadAhead() {
  if (m_plan.readAhead.samples == 0) return;
  const std::uint64_t mostBytes =
      std::min(ReadAhead::kMostBytes, freeMemoryBytes().value_or(UINT64_MAX) / 4);
  m_readAhead = std::make_unique<ReadAhead>(m_plan, m_parts.caches, *m_sampler, mostBytes);
  m_parts.readAhead = m_readAhead.get();
}

/// Must run before the workers are made, as above. Threads that read ahead would read the samples
/// again that are started early.
void Executor::buildEarlyStarts() {
  const PlanStage& stage = m_plan.stages.front();
  if (m_inline || stage.threads < 2 || stage.unit != WorkUnit::Sample ||
      stage.order != DeliveryOrder::Strict || m_readAhead != nullptr)
    return;
  m_early = std::make_unique<EarlyStarts>(stage.threads);
  m_parts.early = m_early.get();
  m_sampler->onEpoch([this](const EpochIndices& epoch) {
    m_early->learn(slowest());
    m_early->plan(epoch);
  });
}

Status Executor::openDeviceIfNeeded() {
  m_parts.device = m_options.device;
  for (const PlanStage& stage : m_plan.stages) {
    if (!stage.transfer) continue;
    if (m_options.transfer == nullptr)
      return Error{stage.id + ": this program cannot move batches to a device"};
    if (m_parts.device) continue;
    auto opened = openDevice();
    if (!opened) return Error{stage.id + ": " + opened.error().message};
    m_parts.device = opened.take();
  }
  return {};
}

Result<std::vector<std::unique_ptr<BatchSlot>>> Executor::makeSlots(std::size_t ring) {
  const PlanStage& stage = m_plan.stages[ring];
  const std::size_t count = m_inline ? 1 : m_plan.queues[ring].slotCount;
  if (!m_inline && m_plan.queues[ring].place == Place::Pinned) return makePinnedSlots(ring, count);
  std::vector<std::unique_ptr<BatchSlot>> slots;
  for (std::size_t s = 0; s < count; ++s) {
    if (!stage.transfer) {
      slots.push_back(
          std::make_unique<BatchSlot>(stage, static_cast<std::size_t>(m_plan.batch.size)));
      continue;
    }
    auto slot = m_options.transfer->makeSlot(*m_parts.device, stage);
    if (!slot) return Error{stage.id + ": " + slot.error().message};
    slots.push_back(slot.take());
  }
  return slots;
}

/// Pinned memory is allocated at the start: during a run it would make the device wait.
ReorderSlots Executor::reorderSlotsOf(std::size_t ring) const {
  if (m_inline || m_plan.queues[ring].reorderSlots == 0) return {};
  const PlanQueue& queue = m_plan.queues[ring];
  const PlanStage& stage = m_plan.stages[ring];
  const auto batchSize = static_cast<std::size_t>(m_plan.batch.size);
  if (queue.place != Place::Pinned)
    return {queue.reorderSlots, [&stage, batchSize] { return hostSlot(stage, batchSize); }};
  auto made = std::make_shared<std::vector<std::unique_ptr<BatchSlot>>>();
  const auto source = std::make_shared<PinnedSource>(m_parts.device);
  while (made->size() < queue.reorderSlots) {
    auto slot = std::make_unique<BatchSlot>(stage, batchSize, source);
    if (!slot->isPinned()) break;
    made->push_back(std::move(slot));
  }
  return {made->size(), [made] {
            auto slot = std::move(made->back());
            made->pop_back();
            return slot;
          }};
}

Result<std::vector<std::unique_ptr<BatchSlot>>> Executor::makePinnedSlots(std::size_t ring,
                                                                          std::size_t count) {
  const auto source = std::make_shared<PinnedSource>(m_parts.device);
  std::vector<std::unique_ptr<BatchSlot>> slots;
  for (std::size_t s = 0; s < count; ++s) {
    slots.push_back(std::make_unique<BatchSlot>(
        m_plan.stages[ring], static_cast<std::size_t>(m_plan.batch.size), source));
    if (slots.back()->isPinned()) continue;
    const PlanStage& reader = m_plan.stages[ring + 1];
    const std::string without = reader.transfer ? fmt::format("set {}.pinned to false", reader.id)
                                                : "leave out the pinned memory";
    return Error{fmt::format(
        "{0}: only {3} of {1} batches of {2} fit into pinned memory: {4}; reduce {5}.batches or "
        "{6}.size, or {7}",
        reader.id, count, humanBytes(static_cast<double>(m_plan.queues[ring].batchBytes)), s,
        source->trouble(), m_plan.queues[ring].id, m_plan.node(m_plan.batchNode).id, without)};
  }
  return slots;
}

ThreadCounters& Executor::addCounters(std::size_t stage) {
  m_counters.push_back(
      std::make_unique<ThreadCounters>(m_plan.stages[stage].id, m_plan.pipeline.nodes.size()));
  ThreadCounters& counters = *m_counters.back();
  if (m_options.traceSpans == 0) return counters;
  counters.trace = std::make_unique<ThreadTrace>(m_options.traceSpans);
  const bool consumes = stage + 1 == m_plan.stages.size();
  const bool onDevice = m_plan.node(m_plan.consumer).in.place == Place::Device;
  if (m_plan.stages[stage].transfer || (consumes && onDevice))
    counters.workTrace = std::make_unique<ThreadTrace>(m_options.traceSpans);
  if (m_plan.stages[stage].transfer)
    counters.copyTrace = std::make_unique<ThreadTrace>(m_options.traceSpans);
  return counters;
}

Status Executor::buildStage(std::size_t stage) {
  for (std::size_t t = 0; t < m_plan.stages[stage].threads; ++t) {
    MILLRACE_ASSIGN_OR_RETURN(auto worker, makeWorker(stage, addCounters(stage)));
    m_workers.push_back(std::move(worker));
    m_workerStage.push_back(stage);
  }
  return {};
}

Result<std::unique_ptr<StageWorker>> Executor::makeWorker(std::size_t index,
                                                          ThreadCounters& counters) {
  const PlanStage& stage = m_plan.stages[index];
  if (stage.transfer) {
    auto worker = m_options.transfer->makeWorker(m_parts, stage, *m_rings[index - 1],
                                                 *m_rings[index], counters);
    if (!worker) return Error{stage.id + ": " + worker.error().message};
    return worker;
  }
  MILLRACE_ASSIGN_OR_RETURN(auto segments,
                            SegmentRunner::make(m_parts, stage, index == 0, counters));
  if (index > 0) return makeLaterWorker(*m_rings[index - 1], *m_rings[index], std::move(segments));
  MILLRACE_ASSIGN_OR_RETURN(
      auto pipeline, SamplePipeline::make(m_parts, stage.segments.front(), 0, true, counters));
  if (m_inline || stage.unit == WorkUnit::Batch)
    return makeBatchWorker(m_parts, *m_sampler, *m_rings[0], std::move(pipeline),
                           std::move(segments));
  return makeSampleWorker(m_parts, stage.order, *m_sampler, *m_rings[0], std::move(pipeline),
                          std::move(segments), [this, &stage, &counters] {
                            return SamplePipeline::make(m_parts, stage.segments.front(), 0, true,
                                                        counters);
                          });
}

Status Executor::buildConsumer() {
  MILLRACE_TRY(renewConsumer());
  const PlanStage& stage = m_plan.stages.back();
  if (m_inline) {
    m_consumerCounters = m_counters.back().get();
    return {};
  }
  m_consumerCounters = &addCounters(m_plan.stages.size() - 1);
  if (m_consumerCounters->workTrace) {
    MILLRACE_ASSIGN_OR_RETURN(m_stepClock, DeviceClock::make(*m_parts.device));
  }
  if (stage.segments.empty()) return {};
  MILLRACE_ASSIGN_OR_RETURN(m_consumerSegments,
                            SegmentRunner::make(m_parts, stage, false, *m_consumerCounters));
  m_consumerSlot = std::make_unique<BatchSlot>(stage, static_cast<std::size_t>(m_plan.batch.size));
  return {};
}

Status Executor::renewConsumer() {
  const CheckedNode& node = m_plan.node(m_plan.consumer);
  m_consumerVersion = m_live.versionOf(m_plan.consumer);
  BuildContext context = buildContext(m_plan.pipeline, m_plan.consumer);
  if (node.in.place == Place::Device) context.device = m_parts.device;
  auto consumer = node.spec->consumer(m_live.valuesOf(m_plan.consumer), context);
  if (!consumer) return Error{node.id + ": " + consumer.error().message};
  m_consumer = consumer.take();
  return {};
}

}  // namespace millrace
