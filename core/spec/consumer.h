// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/cuda/event.h"
#include "core/data/batch.h"

namespace millrace {

/// Lets a consumer wait without outliving a cancelled run. Thread-safe.
class StepWaiter {
 public:
  virtual ~StepWaiter() = default;
  /// False when the run was cancelled before `until`.
  virtual bool waitUntil(std::chrono::steady_clock::time_point until) = 0;
};

/// What a consumer that trains did since it was made.
struct TrainingTotals {
  std::uint64_t steps = 0;
  /// By the device's clock.
  double forwardSeconds = 0;
  double backwardSeconds = 0;
  double updateSeconds = 0;
  std::uint64_t skippedUpdates = 0;  ///< a gradient was not finite: the loss scale was too large
  double firstLoss = 0;
  double loss = 0;  ///< over the last steps: a tenth of the last one's, the rest of those before
  double lossScale = 1;
  std::string libraries;  ///< that do the work: "cuDNN 9.5.1, cuBLAS 13.1.0"
};

/// A part of a step that a device does.
enum class StepWork : std::uint8_t { Forward, Backward, Update, Emulated };

/// When it did it: between two timed events, which have passed.
struct StepPart {
  StepWork work = StepWork::Forward;
  const Event* begin = nullptr;
  const Event* end = nullptr;
};

/// The end of a pipeline: takes batches as the training step would. One thread.
class Consumer {
 public:
  virtual ~Consumer() = default;
  /// Uses the batch until it returns. `step` gets the time that the training step took, zero for
  /// a consumer that has none. The error ends the run.
  virtual Status consume(const Batch& batch, StepWaiter& waiter,
                         std::chrono::nanoseconds& step) = 0;
  /// Nominal time of a step of `rows` samples; zero for a consumer that has none.
  virtual std::chrono::nanoseconds nominalStep(std::size_t rows) const = 0;
  /// Of the last step, one behind the other, until the next batch; none for a consumer that leaves
  /// a device alone.
  virtual std::span<const StepPart> parts() const { return {}; }
  /// Nothing for a consumer that does not train, or has not yet.
  virtual std::optional<TrainingTotals> training() const { return std::nullopt; }
};

}  // namespace millrace
