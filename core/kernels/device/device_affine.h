// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/kernels/affine.h"

namespace millrace {

/// warpAffine() for a whole batch in device memory, with identical results: packed u8 pictures to
/// pictures of the same size.
struct DeviceAffineRow {
  std::uint64_t source = 0;  ///< addresses; the memory must not overlap
  std::uint64_t out = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;
  AffineMap map;
  std::uint8_t fill[4] = {};
};

struct DeviceAffine {
  const DeviceAffineRow* rows = nullptr;  ///< in device memory
  std::int32_t rowCount = 0;
  std::int32_t channels = 3;
  std::int32_t width = 0;  ///< of the largest picture
  std::int32_t height = 0;
  Border border = Border::Constant;
  bool nearest = false;
};

Status launchAffine(Stream& stream, const DeviceAffine& affine);

}  // namespace millrace
