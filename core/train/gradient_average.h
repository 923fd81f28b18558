// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"
#include "core/cuda/stream.h"

namespace millrace {

/// Averages each gradient over all ranks that train together. All ranks must call it equally often
/// with the same number of values. For use by one thread.
class GradientAverage {
 public:
  virtual ~GradientAverage() = default;
  /// Replaces `values`, which is device memory, by the mean over the ranks, in stream order. May
  /// wait for the stream and for the other ranks; the error names a rank that is gone.
  virtual Status average(Stream& stream, float* values, std::size_t count) = 0;
  /// Waits for `event`, which was recorded after average(). Fails if a rank without which it never
  /// passes is gone.
  virtual Status settle(const Event& event) = 0;
  /// Cancels work on the device that would wait for other ranks. Must be the last call.
  virtual void abandon() = 0;
  /// The implementation: "NCCL 2.28.9", "host memory".
  virtual std::string by() const = 0;
};

}  // namespace millrace
