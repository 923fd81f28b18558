// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What a run needs before its threads start: slots, rings, workers, the consumer.
#include <algorithm>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/cuda/pinned_source.h"
#include "core/graph/plan_groups.h"
#include "core/monitor/free_memory.h"
#include "core/run/executor.h"
#include "core/run/transfer_worker.h"

namespace millrace {

Status Executor::build() {
  m_inline = m_plan.stages.size() == 1;
  MILLRACE_TRY(openDeviceIfNeeded());
  // An inline run has one ring too: the consumer's thread fills its only slot, then takes it.
  const std::size_t rings = m_inline ? 1 : m_plan.queues.size();
  for (std::size_t i = 0; i < rings; ++i) {
    auto slots = makeSlots(i);
    if (!slots) return slots.error();
    const std::size_t capacity = m_inline ? 1 : m_plan.queues[i].capacity;
    m_rings.push_back(std::make_unique<BatchRing>(slots.take(), capacity, m_cursor->firstBatch(),
                                                  *m_options.clock));
    if (const auto end = m_cursor->end()) m_rings.back()->close(*end);
  }
  buildReadAhead();
  for (std::size_t i = 0; i < rings; ++i) MILLRACE_TRY(buildStage(i));
  return buildConsumer();
}

/// Before the workers, which are told of it.
void Executor::buildReadAhead() {
  if (m_plan.readAhead.samples == 0) return;
  const std::uint64_t mostBytes =
      std::min(ReadAhead::kMostBytes, freeMemoryBytes().value_or(UINT64_MAX) / 4);
  m_readAhead = std::make_unique<ReadAhead>(m_plan, m_parts.caches, *m_cursor, mostBytes);
  m_parts.readAhead = m_readAhead.get();
}

Status Executor::openDeviceIfNeeded() {
  m_parts.device = m_options.device;
  for (const PlanStage& stage : m_plan.stages) {
    if (!stage.transfer || m_parts.device) continue;
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
    auto slot = DeviceSlot::make(*m_parts.device, stage.deviceGroups.size());
    if (!slot) return Error{stage.id + ": " + slot.error().message};
    slots.push_back(slot.take());
  }
  return slots;
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
    const std::string without =
        reader.transfer ? fmt::format("set {}.pinned to false", reader.id) : "do without pinned";
    return Error{fmt::format(
        "{}: {} batches of {} in pinned memory, of which {} fit: {}; give fewer {}.batches or a "
        "smaller {}.size, or {}",
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
    auto worker = makeWorker(stage, addCounters(stage));
    if (!worker) return worker.error();
    m_workers.push_back(worker.take());
    m_workerStage.push_back(stage);
  }
  return {};
}

Result<std::unique_ptr<StageWorker>> Executor::makeWorker(std::size_t index,
                                                          ThreadCounters& counters) {
  const PlanStage& stage = m_plan.stages[index];
  if (stage.transfer) {
    auto lane = DeviceLane::make(m_parts, stage, counters);
    if (!lane) return Error{stage.id + ": " + lane.error().message};
    MILLRACE_TRY(reserveDeviceSlots(index, **lane));
    return makeTransferWorker(*m_rings[index - 1], *m_rings[index], stage.id, lane.take(), m_stop);
  }
  auto phases = PhaseRunner::make(m_parts, stage, index == 0, counters);
  if (!phases) return phases.error();
  if (index > 0) return makeLaterWorker(*m_rings[index - 1], *m_rings[index], phases.take());
  auto rows = RowPipeline::make(m_parts, stage.phases.front(), 0, true, counters);
  if (!rows) return rows.error();
  if (m_inline || stage.unit == WorkUnit::Batch)
    return makeBatchWorker(m_parts, *m_cursor, *m_rings[0], rows.take(), phases.take());
  return makeSampleWorker(m_parts, stage.order, *m_cursor, *m_rings[0], rows.take(), phases.take());
}

Status Executor::reserveDeviceSlots(std::size_t ring, DeviceLane& lane) {
  const auto slots = m_rings[ring]->allSlots();
  for (std::size_t s = 0; s < slots.size(); ++s)
    if (Status taken = lane.reserve(static_cast<DeviceSlot&>(*slots[s])); !taken)
      return Error{fmt::format("{}: {} slots on the GPU, of which {} fit: {}",
                               m_plan.stages[ring].id, slots.size(), s, taken.error().message)};
  return {};
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
    auto clock = DeviceClock::make(*m_parts.device);
    if (!clock) return clock.error();
    m_stepClock = clock.take();
  }
  if (stage.phases.empty()) return {};
  auto phases = PhaseRunner::make(m_parts, stage, false, *m_consumerCounters);
  if (!phases) return phases.error();
  m_consumerPhases = phases.take();
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
