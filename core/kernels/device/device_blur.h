// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"

namespace millrace {

/// GaussianBlur for a whole batch in device memory, in place, with identical results: f32 sums in
/// the same order, rows first. A simple implementation: each element reads all its taps through the
/// cache.
struct DeviceBlurRow {
  std::uint64_t picture = 0;  ///< address of packed u8 pixels
  std::uint64_t sums = 0;     ///< offset of its f32 sums in DeviceBlur::scratch, in floats
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::int32_t blurred = 1;  ///< 0: the picture is unchanged
};

struct DeviceBlur {
  const DeviceBlurRow* rows = nullptr;  ///< in device memory, like the weights
  const float* weights = nullptr;       ///< `taps` per row, used for both axes
  float* scratch = nullptr;             ///< one float per element of every blurred picture
  std::int32_t rowCount = 0;
  std::int32_t taps = 1;  ///< odd
  std::int32_t channels = 3;
  std::int32_t width = 0;  ///< of the largest picture
  std::int32_t height = 0;
};

Status launchBlur(Stream& stream, const DeviceBlur& blur);

}  // namespace millrace
