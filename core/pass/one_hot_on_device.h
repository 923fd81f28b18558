// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/data/dtype.h"
#include "core/data/stream_type.h"
#include "core/spec/device_op.h"

namespace millrace {

/// A field whose class numbers become elements of 0 and 1.
struct OneHotField {
  std::size_t index = 0;
  bool isMask = false;  ///< a mask of class numbers with one channel; otherwise a label
  int classes = 0;
};

/// one_hot for batches on a device: numbers that are not classes become zeros and are not counted.
/// `dtype` is U8 or F32; `layout` is that of masks.
std::unique_ptr<DeviceOp> oneHotOnDevice(std::vector<OneHotField> fields, DType dtype,
                                         Layout layout);

}  // namespace millrace
