// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/run/phase_runner.h"

#include <chrono>

#include "core/graph/plan_groups.h"

namespace millrace {

namespace {}  // namespace

Result<std::unique_ptr<PhaseRunner>> PhaseRunner::make(const RunParts& parts,
                                                       const PlanStage& stage, bool fromSource,
                                                       ThreadCounters& counters) {
  std::unique_ptr<PhaseRunner> runner(new PhaseRunner(parts, counters));
  runner->m_liveVersion = parts.live.version();
  for (std::size_t i = 0; i < stage.phases.size(); ++i)
    MILLRACE_TRY(runner->addPhase(stage.phases[i], i, fromSource));
  return runner;
}

Status PhaseRunner::addPhase(const PlanPhase& phase, std::size_t index, bool fromSource) {
  Phase made;
  const bool filledByWorkers = fromSource && index == 0;
  if ((!phase.rowGroups.empty() || phase.formsBatch) && !filledByWorkers) {
    auto rows = RowPipeline::make(m_parts, phase, index, false, m_counters);
    if (!rows) return rows.error();
    made.rows = rows.take();
  }
  for (const std::size_t node : phase.batchOps) {
    BatchStep step;
    step.node = node;
    step.context = {m_parts.plan.pipeline.seed, m_parts.plan.node(node).drawKey(),
                    m_parts.noRandom};
    MILLRACE_TRY(buildOp(step));
    made.steps.push_back(std::move(step));
  }
  m_phases.push_back(std::move(made));
  return {};
}

Status PhaseRunner::buildOp(BatchStep& step) {
  step.version = m_parts.live.versionOf(step.node);
  const CheckedNode& node = m_parts.plan.node(step.node);
  auto op = node.spec->batchOp(m_parts.live.valuesOf(step.node),
                               buildContext(m_parts.plan.pipeline, step.node));
  if (!op) return Error{node.id + ": " + op.error().message};
  step.op = op.take();
  return {};
}

Status PhaseRunner::renewLive() {
  if (m_parts.live.version() == m_liveVersion) return {};
  m_liveVersion = m_parts.live.version();
  for (Phase& phase : m_phases)
    for (BatchStep& step : phase.steps)
      if (m_parts.live.versionOf(step.node) != step.version) MILLRACE_TRY(buildOp(step));
  return {};
}

Status PhaseRunner::runRows(std::size_t phase, const Batch& before, BatchSlot& slot) {
  slot.beginPhase(phase, before);
  for (std::size_t r = 0; r < before.rows; ++r) {
    if (m_parts.stop.dropped()) {  // nobody will look at this batch
      slot.phase(phase).rows = 0;
      return {};
    }
    Result<bool> good = m_phases[phase].rows->fromRow(before, r, slot, r);
    if (good && *good) good = m_phases[phase].rows->put(slot, r);
    if (!good) return good.error();
    if (!*good) slot.markFailed(r);
  }
  slot.closeGaps(phase, m_parts.plan.batch.onFailure);
  return {};
}

Status PhaseRunner::runBatchOps(std::size_t phase, Batch& batch) {
  if (batch.rows == 0) return {};
  for (BatchStep& step : m_phases[phase].steps) {
    const auto begin = std::chrono::steady_clock::now();
    if (Status done = step.op->process(batch, step.context); !done)
      return Error{m_parts.plan.node(step.node).id + ": " + done.error().message};
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

void PhaseRunner::countBatch() {
  if constexpr (MILLRACE_COUNTERS) m_counters.node[m_parts.plan.batchNode].items.add(1);
}

Status PhaseRunner::finish(BatchSlot& slot) {
  const std::uint64_t begin = traceBegin();
  MILLRACE_TRY(renewLive());
  slot.closeGaps(0, m_parts.plan.batch.onFailure);
  countBatch();
  Batch* current = &slot.phase(0);
  for (std::size_t p = 0; p < m_phases.size(); ++p) {
    if (m_phases[p].rows) {
      MILLRACE_TRY(runRows(p, *current, slot));
      current = &slot.phase(p);
    }
    MILLRACE_TRY(runBatchOps(p, *current));
  }
  slot.setResult(*current);
  traceBatch(*current, begin);
  return {};
}

/// The clock is read for a trace alone.
std::uint64_t PhaseRunner::traceBegin() const {
  return m_counters.trace ? nanosecondsOf(std::chrono::steady_clock::now()) : 0;
}

void PhaseRunner::traceBatch(const Batch& batch, std::uint64_t begin) {
  if (!m_counters.trace) return;
  m_counters.traced(TraceSpan::Kind::Batch, 0, batch.sequence, begin,
                    nanosecondsOf(std::chrono::steady_clock::now()));
}

Result<Batch*> PhaseRunner::run(Batch& in, BatchSlot& slot, bool own) {
  const std::uint64_t begin = traceBegin();
  MILLRACE_TRY(renewLive());
  Batch* current = &in;
  for (std::size_t p = 0; p < m_phases.size(); ++p) {
    if (m_phases[p].rows) {
      MILLRACE_TRY(runRows(p, *current, slot));
      current = &slot.phase(p);
    }
    MILLRACE_TRY(runBatchOps(p, *current));
  }
  if (current == &in && own) {
    slot.copyFrom(in);
    current = &slot.phase(0);
  }
  slot.setResult(*current);
  traceBatch(*current, begin);
  return current;
}

}  // namespace millrace
