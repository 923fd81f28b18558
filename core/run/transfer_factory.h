// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/cuda/device.h"
#include "core/run/run_parts.h"
#include "core/run/stage_worker.h"
#include "core/run/thread_counters.h"

namespace millrace {

/// Makes the parts of a stage that moves batches to a device. The engine itself knows only stages
/// and rings; this interface hides the device from it. Stateless; any thread.
class TransferFactory {
 public:
  virtual ~TransferFactory() = default;
  /// One slot of the ring that the stage writes to. The stage's worker accepts no other slots.
  virtual Result<std::unique_ptr<BatchSlot>> makeSlot(Device& device,
                                                      const PlanStage& stage) const = 0;
  /// The stage's only thread, which takes host batches from `in` and enqueues their copies into the
  /// slots of `out`. Reserves the memory of those slots first; the error says how many fit.
  virtual Result<std::unique_ptr<StageWorker>> makeWorker(const RunParts& parts,
                                                          const PlanStage& stage, BatchRing& in,
                                                          BatchRing& out,
                                                          ThreadCounters& counters) const = 0;
};

}  // namespace millrace
