// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace {

/// Makes a file in a field of pixels one that a device is to decode behind the transfer: it stays
/// Encoded, and its shape and layout are those of the u8 pixels to come.
inline void leaveToDevice(TensorView& file, const Shape& pixels) {
  file.shape = pixels;
  file.layout = Layout::Hwc;
}

/// Whether a row of a field is such a file.
inline bool isLeftToDevice(const FieldSpec& spec, const TensorView& row) {
  return row.dtype == DType::Encoded && spec.dtype != DType::Encoded;
}

/// The pixels of such a row; data is nullptr.
inline TensorView pixelsOfFile(const TensorView& row) {
  return {DType::U8, row.layout, row.shape, nullptr,
          static_cast<std::size_t>(row.shape.elements())};
}

}  // namespace millrace
