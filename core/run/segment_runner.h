// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/run/batch_slot.h"
#include "core/run/run_parts.h"
#include "core/run/sample_pipeline.h"
#include "core/spec/fallible_batch_op.h"

namespace millrace {

/// Applies the sample operations and batch operations of a stage's segments to whole batches, one
/// segment after another. One thread.
class SegmentRunner {
 public:
  /// `fromSource`: the stage reads the source, and workers fill the rows of its first segment.
  static Result<std::unique_ptr<SegmentRunner>> make(const RunParts& parts, const PlanStage& stage,
                                                     bool fromSource, ThreadCounters& counters);

  /// Does the rest of the work once every row of the slot's first segment is filled, and sets the
  /// slot's result. An error ends the run.
  Status finish(BatchSlot& slot);
  /// Applies all segments to a batch of the previous stage. The result may be `in` itself, changed
  /// in place; with `own` it is copied into the slot, so that it outlives `in`. An error ends the
  /// run.
  Result<Batch*> run(Batch& in, BatchSlot& slot, bool own);

 private:
  struct BatchStep {
    std::size_t node = 0;
    BatchContext context;
    std::unique_ptr<BatchOp> op;          ///< nullptr: `map` instead
    FallibleBatchOp* fallible = nullptr;  ///< `op`, if it is one
    std::unique_ptr<BatchMap> map;
    std::uint64_t version = 0;
  };
  struct Segment {
    std::unique_ptr<SamplePipeline> pipeline;  ///< nullptr: the segment has no sample operations
    bool maps = false;                         ///< its first step makes its batch
    std::vector<BatchStep> steps;
  };

  SegmentRunner(const RunParts& parts, ThreadCounters& counters)
      : m_parts(parts), m_counters(counters) {}
  Status addSegment(const StageSegment& segment, std::size_t index, bool fromSource);
  Status buildOp(BatchStep& step);
  void countFor(BatchStep& step);
  /// Counts the rows of a batch that a FallibleBatchOp fails as failed samples, and removes them.
  Status process(BatchStep& step, const Batch& before, Batch& batch);
  Status renewLive();
  Status runSampleOps(std::size_t segment, const Batch& before, BatchSlot& slot);
  /// Returns the segment's batch, which is `before` itself if nothing makes a new one.
  Result<Batch*> runSegment(std::size_t segment, Batch& before, BatchSlot& slot);
  Status runBatchOps(std::size_t segment, const Batch& before, Batch& batch);
  void countBatch();
  std::uint64_t traceBegin() const;
  void traceBatch(const Batch& batch, std::uint64_t begin);

  const RunParts& m_parts;
  ThreadCounters& m_counters;
  std::vector<Segment> m_segments;
  std::uint64_t m_liveVersion = 0;
};

}  // namespace millrace
