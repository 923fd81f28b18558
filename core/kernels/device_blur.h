// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"

namespace millrace {

/// GaussianBlur for a whole batch in device memory, in place, bit for bit: f32 sums in the same
/// order, rows first. Plain: each element reads all its taps through the cache.
struct DeviceBlurRow {
  std::uint64_t picture = 0;  ///< address of packed u8 pixels
  std::uint64_t sums = 0;     ///< place of its f32 sums in DeviceBlur::scratch, in floats
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::int32_t blurred = 1;  ///< 0: stays as it is
};

struct DeviceBlur {
  const DeviceBlurRow* rows = nullptr;  ///< on the device, as the weights
  const float* weights = nullptr;       ///< `taps` a row, for both axes
  float* scratch = nullptr;             ///< a float an element of every blurred row
  std::int32_t rowCount = 0;
  std::int32_t taps = 1;  ///< odd
  std::int32_t channels = 3;
  std::int32_t width = 0;  ///< of the largest picture
  std::int32_t height = 0;
};

Status launchBlur(Stream& stream, const DeviceBlur& blur);

}  // namespace millrace
