// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "core/base/result.h"
#include "core/cuda/stream.h"

namespace millrace {

/// The mean of each gradient over all ranks that train together. Every rank calls it as often as
/// the others, with as many values. One thread.
class GradientAverage {
 public:
  virtual ~GradientAverage() = default;
  /// Puts the mean over the ranks in place of `values`, which is device memory, in the order of the
  /// stream. May wait for the stream and for the other ranks; the error names a rank that is gone.
  virtual Status average(Stream& stream, float* values, std::size_t count) = 0;
  /// Waits for `event`, which was recorded behind an `average`. The error: a rank is gone without
  /// which it never passes.
  virtual Status settle(const Event& event) = 0;
  /// Ends what is under way on the device and would wait for other ranks. The last call.
  virtual void abandon() = 0;
  /// "NCCL 2.28.9", "host memory".
  virtual std::string by() const = 0;
};

}  // namespace millrace
