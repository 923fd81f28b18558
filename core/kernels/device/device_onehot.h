// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/data/dtype.h"

namespace millrace {

/// oneHotLabel() and oneHotMask() for a whole batch in device memory: class numbers to elements of
/// 0 and 1. A number that is not a class gives zeros.
struct DeviceOneHotRow {
  std::uint64_t source = 0;  ///< address of the class numbers
  std::uint64_t out = 0;
  std::int64_t numbers = 1;  ///< 1 for a label, the number of pixels for a mask
};

struct DeviceOneHot {
  const DeviceOneHotRow* rows = nullptr;  ///< in device memory
  std::int32_t rowCount = 0;
  std::int32_t classes = 0;
  DType from = DType::I64;       ///< an integer type
  DType to = DType::F32;         ///< or U8
  bool planar = false;           ///< one plane per class
  std::int64_t mostNumbers = 1;  ///< of the largest row
};

Status launchOneHot(Stream& stream, const DeviceOneHot& oneHot);

}  // namespace millrace
