// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/run/batch_ring.h"
#include "core/run/order_cursor.h"
#include "core/run/phase_runner.h"
#include "core/run/row_pipeline.h"

namespace millrace {

/// Why a step came back.
enum class StepResult {
  Ready,           ///< did something; call again
  WaitsForOutput,  ///< wait until the slot that it needs is free
  Finished,        ///< nothing will ever be left to do
  Failed,          ///< the run is over; error() says why
};

/// One thread's part of a stage, stepped by its thread's loop or by a test by hand. One thread.
class StageWorker {
 public:
  virtual ~StageWorker() = default;
  virtual StepResult step() = 0;
  /// The same, and what a library throws in it is a failure: the last net.
  StepResult guardedStep();
  /// After WaitsForOutput: blocks until the slot is free or the run is cancelled.
  void waitForOutput();
  /// The batch whose slot that is.
  std::uint64_t waitsFor() const { return m_waitsFor; }
  const Error& error() const { return m_error; }

 protected:
  explicit StageWorker(BatchRing& out) : m_out(out) {}
  StepResult fail(const Error& error) {
    m_error = error;
    return StepResult::Failed;
  }
  /// The slot of a batch, readied by whoever comes first; it must be writable.
  BatchSlot& prepare(std::uint64_t sequence, const EpochOrder& epoch);

  BatchRing& m_out;
  std::uint64_t m_waitsFor = 0;

 private:
  Error m_error;
};

/// The stage behind the source, sample by sample: every worker writes rows of the same batches.
std::unique_ptr<StageWorker> makeSampleWorker(const RunParts& parts, DeliveryOrder order,
                                              OrderCursor& cursor, BatchRing& out,
                                              std::unique_ptr<RowPipeline> rows,
                                              std::unique_ptr<PhaseRunner> phases);
/// The stage behind the source, a whole batch at a time.
std::unique_ptr<StageWorker> makeBatchWorker(const RunParts& parts, OrderCursor& cursor,
                                             BatchRing& out, std::unique_ptr<RowPipeline> rows,
                                             std::unique_ptr<PhaseRunner> phases);
/// A later stage: takes batches from one ring and puts them into the next.
std::unique_ptr<StageWorker> makeLaterWorker(BatchRing& in, BatchRing& out,
                                             std::unique_ptr<PhaseRunner> phases);

}  // namespace millrace
