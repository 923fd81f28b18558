// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/segment_runner.h"

#include <chrono>
#include <utility>

#include "core/graph/plan_groups.h"

namespace millrace {

Result<std::unique_ptr<SegmentRunner>> SegmentRunner::make(const RunParts& parts,
                                                           const PlanStage& stage, bool fromSource,
                                                           ThreadCounters& counters) {
  std::unique_ptr<SegmentRunner> runner(new SegmentRunner(parts, counters));
  runner->m_liveVersion = parts.live.version();
  for (std::size_t i = 0; i < stage.segments.size(); ++i)
    MILLRACE_TRY(runner->addSegment(stage.segments[i], i, fromSource));
  return runner;
}

Status SegmentRunner::addSegment(const StageSegment& segment, std::size_t index, bool fromSource) {
  Segment made;
  made.maps = segment.maps;
  const bool filledByWorkers = fromSource && index == 0;
  if ((!segment.sampleGroups.empty() || segment.formsBatch) && !filledByWorkers) {
    MILLRACE_ASSIGN_OR_RETURN(made.pipeline,
                              SamplePipeline::make(m_parts, segment, index, false, m_counters));
  }
  for (const std::size_t node : segment.batchOps) {
    BatchStep step;
    step.node = node;
    step.context = {m_parts.plan.pipeline.seed, m_parts.plan.node(node).drawKey(),
                    m_parts.noRandom};
    MILLRACE_TRY(buildOp(step));
    countFor(step);
    made.steps.push_back(std::move(step));
  }
  m_segments.push_back(std::move(made));
  return {};
}

Status SegmentRunner::buildOp(BatchStep& step) {
  step.version = m_parts.live.versionOf(step.node);
  const CheckedNode& node = m_parts.plan.node(step.node);
  const Values values = m_parts.live.valuesOf(step.node);
  const BuildContext context = buildContext(m_parts.plan.pipeline, step.node);
  const auto failed = [&node](const Error& error) { return Error{node.id + ": " + error.message}; };
  if (node.spec->batchMap) {
    auto map = node.spec->batchMap(values, context);
    if (!map) return failed(map.error());
    step.map = map.take();
    return {};
  }
  auto op = node.spec->batchOp(values, context);
  if (!op) return failed(op.error());
  step.op = op.take();
  step.fallible = dynamic_cast<FallibleBatchOp*>(step.op.get());
  return {};
}

void SegmentRunner::countFor(BatchStep& step) {
  if (!MILLRACE_COUNTERS || step.fallible == nullptr) return;
  std::vector<std::string> names = step.fallible->counterNames();
  if (names.empty()) return;
  m_counters.namedCounters[step.node] = std::make_unique<NamedCounters>(std::move(names));
}

Status SegmentRunner::process(BatchStep& step, const Batch& before, Batch& batch) {
  if (step.fallible == nullptr) {
    const Status done = step.map ? step.map->process(before, batch, step.context)
                                 : step.op->process(batch, step.context);
    if (!done) return Error{m_parts.plan.node(step.node).id + ": " + done.error().message};
    return {};
  }
  const OpContext context{step.context.seed, step.context.node, step.context.noRandom,
                          m_counters.namedCounters[step.node].get(), &m_parts.stop};
  const Status done = step.fallible->processOrFail(batch, context);
  if (done) return {};
  const std::size_t failed = std::exchange(batch.rows, 0);
  if (!context.wanted()) return {};
  if constexpr (MILLRACE_COUNTERS) m_counters.node[step.node].failed.add(failed);
  for (std::size_t r = 0; r < failed; ++r) {
    const std::uint32_t index = batch.keys[r].index;
    MILLRACE_TRY(m_parts.failures.record(index, m_parts.plan.node(step.node).id,
                                         m_parts.plan.pipeline.source->name(index),
                                         done.error().message));
  }
  return {};
}

Status SegmentRunner::renewLive() {
  if (m_parts.live.version() == m_liveVersion) return {};
  m_liveVersion = m_parts.live.version();
  for (Segment& segment : m_segments)
    for (BatchStep& step : segment.steps)
      if (m_parts.live.versionOf(step.node) != step.version) MILLRACE_TRY(buildOp(step));
  return {};
}

Status SegmentRunner::runSampleOps(std::size_t segment, const Batch& before, BatchSlot& slot) {
  slot.beginSegment(segment, before);
  for (std::size_t r = 0; r < before.rows; ++r) {
    if (m_parts.stop.dropped()) {  // this batch will not be used
      slot.segment(segment).rows = 0;
      return {};
    }
    Result<bool> good = m_segments[segment].pipeline->fromRow(before, r, slot, r);
    if (good && *good) good = m_segments[segment].pipeline->put(slot, r);
    if (!good) return good.error();
    if (!*good) slot.markFailed(r);
  }
  slot.closeGaps(segment, m_parts.plan.batch.onFailure);
  return {};
}

Result<Batch*> SegmentRunner::runSegment(std::size_t segment, Batch& before, BatchSlot& slot) {
  Batch* batch = &before;
  if (m_segments[segment].pipeline) {
    MILLRACE_TRY(runSampleOps(segment, before, slot));
    batch = &slot.segment(segment);
  } else if (m_segments[segment].maps) {
    slot.beginSegment(segment, before);
    batch = &slot.segment(segment);
  }
  MILLRACE_TRY(runBatchOps(segment, before, *batch));
  return batch;
}

Status SegmentRunner::runBatchOps(std::size_t segment, const Batch& before, Batch& batch) {
  for (BatchStep& step : m_segments[segment].steps) {
    if (batch.rows == 0) return {};
    const auto begin = std::chrono::steady_clock::now();
    MILLRACE_TRY(process(step, before, batch));
    if constexpr (MILLRACE_COUNTERS) {
      NodeCounters& counters = m_counters.node[step.node];
      const auto end = std::chrono::steady_clock::now();
      counters.items.add(1);
      counters.time(static_cast<std::uint64_t>((end - begin).count()));
      m_counters.traced(TraceSpan::Kind::Node, step.node, batch.sequence, nanosecondsOf(begin),
                        nanosecondsOf(end));
    }
  }
  return {};
}

void SegmentRunner::countBatch() {
  if constexpr (MILLRACE_COUNTERS) m_counters.node[m_parts.plan.batchNode].items.add(1);
}

Status SegmentRunner::finish(BatchSlot& slot) {
  const std::uint64_t begin = traceBegin();
  MILLRACE_TRY(renewLive());
  slot.closeGaps(0, m_parts.plan.batch.onFailure);
  countBatch();
  Batch* current = &slot.segment(0);
  for (std::size_t p = 0; p < m_segments.size(); ++p) {
    MILLRACE_ASSIGN_OR_RETURN(current, runSegment(p, *current, slot));
  }
  slot.setResult(*current);
  traceBatch(*current, begin);
  return {};
}

/// Reads the clock only if the run is traced.
std::uint64_t SegmentRunner::traceBegin() const { return m_counters.trace ? nowNs() : 0; }

void SegmentRunner::traceBatch(const Batch& batch, std::uint64_t begin) {
  if (!m_counters.trace) return;
  m_counters.traced(TraceSpan::Kind::Batch, 0, batch.sequence, begin, nowNs());
}

Result<Batch*> SegmentRunner::run(Batch& in, BatchSlot& slot, bool own) {
  const std::uint64_t begin = traceBegin();
  MILLRACE_TRY(renewLive());
  Batch* current = &in;
  for (std::size_t p = 0; p < m_segments.size(); ++p) {
    MILLRACE_ASSIGN_OR_RETURN(current, runSegment(p, *current, slot));
  }
  if (current == &in && own) {
    slot.copyFrom(in);
    current = &slot.segment(0);
  }
  slot.setResult(*current);
  traceBatch(*current, begin);
  return current;
}

}  // namespace millrace
