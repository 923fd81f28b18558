// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "core/run/batch_ring.h"
#include "core/run/index_sampler.h"
#include "core/run/sample_pipeline.h"
#include "core/run/segment_runner.h"

namespace millrace {

/// Result of a step.
enum class StepResult {
  Ready,           ///< did some work; call again
  WaitsForOutput,  ///< the output slot is not free yet; wait for it
  Finished,        ///< no work is left and none will come
  Failed,          ///< the run must end; error() has the reason
};

/// One thread's part of a stage. `step` does one piece of work and never waits for a slot, so a
/// thread's loop or a test can drive it. One thread.
class StageWorker {
 public:
  virtual ~StageWorker() = default;
  virtual StepResult step() = 0;
  /// Calls `step` and turns an exception thrown by a library into Failed.
  StepResult guardedStep();
  /// After WaitsForOutput: blocks until the slot is free or the run is cancelled.
  void waitForOutput();
  /// After WaitsForOutput: the batch whose slot is not free.
  std::uint64_t waitsFor() const { return m_waitsFor; }
  const Error& error() const { return m_error; }

 protected:
  explicit StageWorker(BatchRing& out) : m_out(out) {}
  StepResult fail(const Error& error) {
    m_error = error;
    return StepResult::Failed;
  }
  /// The slot of a batch, prepared by the first caller. The batch must be writable.
  BatchSlot& prepare(std::uint64_t sequence, const EpochIndices& epoch);

  BatchRing& m_out;
  std::uint64_t m_waitsFor = 0;

 private:
  Error m_error;
};

/// Makes a SamplePipeline from the source.
using MakePipeline = std::function<Result<std::unique_ptr<SamplePipeline>>()>;
/// The first stage, sample by sample: all workers write rows of the same batches. `another` makes
/// the pipeline for samples that are started early (EarlyStarts), once there are any.
std::unique_ptr<StageWorker> makeSampleWorker(const RunParts& parts, DeliveryOrder order,
                                              IndexSampler& sampler, BatchRing& out,
                                              std::unique_ptr<SamplePipeline> pipeline,
                                              std::unique_ptr<SegmentRunner> segments,
                                              MakePipeline another = {});
/// The first stage, one whole batch at a time.
std::unique_ptr<StageWorker> makeBatchWorker(const RunParts& parts, IndexSampler& sampler,
                                             BatchRing& out,
                                             std::unique_ptr<SamplePipeline> pipeline,
                                             std::unique_ptr<SegmentRunner> segments);
/// A later stage: takes batches from one ring and passes them to the next.
std::unique_ptr<StageWorker> makeLaterWorker(BatchRing& in, BatchRing& out,
                                             std::unique_ptr<SegmentRunner> segments);

}  // namespace millrace
