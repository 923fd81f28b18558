// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "core/data/batch.h"

namespace millrace {

/// Lets a consumer wait without outliving a cancelled run. Thread-safe.
class StepWaiter {
 public:
  virtual ~StepWaiter() = default;
  /// False when the run was cancelled before `until`.
  virtual bool waitUntil(std::chrono::steady_clock::time_point until) = 0;
};

/// The end of a pipeline: takes batches as the training step would. One thread.
class Consumer {
 public:
  virtual ~Consumer() = default;
  /// Uses the batch until it returns. `step` gets the time that the training step took, zero for
  /// a consumer that has none.
  virtual void consume(const Batch& batch, StepWaiter& waiter, std::chrono::nanoseconds& step) = 0;
  /// Nominal time of a step of `rows` samples; zero for a consumer without a step.
  virtual std::chrono::nanoseconds nominalStep(std::size_t rows) const = 0;
};

}  // namespace millrace
