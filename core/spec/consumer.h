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

/// Lets a consumer sleep without outliving a cancelled run. Thread-safe.
class StepWaiter {
 public:
  virtual ~StepWaiter() = default;
  /// Returns false if the run was cancelled before `until`.
  virtual bool waitUntil(std::chrono::steady_clock::time_point until) = 0;
};

/// What a training consumer has done since it was created.
struct TrainingTotals {
  std::uint64_t steps = 0;
  /// Measured by the device's clock.
  double forwardSeconds = 0;
  double backwardSeconds = 0;
  double updateSeconds = 0;
  std::uint64_t skippedUpdates = 0;  ///< updates skipped because a gradient was not finite: the
                                     ///< loss scale was too large
  double firstLoss = 0;
  double loss = 0;  ///< exponential average over the last steps: the last step weighs one tenth
  double lossScale = 1;
  std::string libraries;  ///< the libraries used: "cuDNN 9.5.1, cuBLAS 13.1.0"
};

/// A part of a training step that runs on the device.
enum class StepWork : std::uint8_t { Forward, Backward, Update, Emulated };

/// The time span of such a part, between two timing events that have both passed.
struct StepPart {
  StepWork work = StepWork::Forward;
  const Event* begin = nullptr;
  const Event* end = nullptr;
};

/// The end of a pipeline: takes batches as a training step would. For use by one thread.
class Consumer {
 public:
  virtual ~Consumer() = default;
  /// Uses the batch until the call returns. Sets `step` to the duration of the training step, or to
  /// zero for a consumer without one. An error ends the run.
  virtual Status consume(const Batch& batch, StepWaiter& waiter,
                         std::chrono::nanoseconds& step) = 0;
  /// Nominal duration of a step of `rows` samples; zero for a consumer without one.
  virtual std::chrono::nanoseconds nominalStep(std::size_t rows) const = 0;
  /// The parts of the last step in order, valid until the next batch; empty for a consumer that
  /// does not use a device.
  virtual std::span<const StepPart> parts() const { return {}; }
  /// nullopt for a consumer that does not train or has not started yet.
  virtual std::optional<TrainingTotals> training() const { return std::nullopt; }
};

}  // namespace millrace
