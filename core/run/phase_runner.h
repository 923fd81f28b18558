// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/run/batch_slot.h"
#include "core/run/row_pipeline.h"
#include "core/run/run_parts.h"

namespace millrace {

/// The work of one thread on whole batches: the row operations and batch operations of a stage's
/// phases, one after the other. One thread.
class PhaseRunner {
 public:
  /// `fromSource`: the stage reads the source, and its first phase's rows are filled by workers.
  static Result<std::unique_ptr<PhaseRunner>> make(const RunParts& parts, const PlanStage& stage,
                                                   bool fromSource, ThreadCounters& counters);

  /// All that is left to do once every row of the slot's first phase is there. The slot's result
  /// is set. The error ends the run.
  Status finish(BatchSlot& slot);
  /// Every phase, from a batch of the stage before. `in` may be changed in place and be the result
  /// itself; copied into the slot when `own` says that the result must outlive `in`.
  Result<Batch*> run(Batch& in, BatchSlot& slot, bool own);

 private:
  struct BatchStep {
    std::size_t node = 0;
    BatchContext context;
    std::unique_ptr<BatchOp> op;
    std::uint64_t version = 0;
  };
  struct Phase {
    std::unique_ptr<RowPipeline> rows;  ///< nullptr: no row operations here
    std::vector<BatchStep> steps;
  };

  PhaseRunner(const RunParts& parts, ThreadCounters& counters)
      : m_parts(parts), m_counters(counters) {}
  Status addPhase(const PlanPhase& phase, std::size_t index, bool fromSource);
  Status buildOp(BatchStep& step);
  Status renewLive();
  Status runRows(std::size_t phase, const Batch& before, BatchSlot& slot);
  Status runBatchOps(std::size_t phase, Batch& batch);
  void countBatch();
  std::uint64_t traceBegin() const;
  void traceBatch(const Batch& batch, std::uint64_t begin);

  const RunParts& m_parts;
  ThreadCounters& m_counters;
  std::vector<Phase> m_phases;
  std::uint64_t m_liveVersion = 0;
};

}  // namespace millrace
