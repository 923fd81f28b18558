// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/sample.h"
#include "core/data/stream_type.h"

namespace millrace {

/// Marks an encoded file in a picture field as to be decoded on the device after the transfer: it
/// stays Encoded, and gets the shape and layout of the u8 pixels it will decode to.
inline void leaveToDevice(TensorView& file, const Shape& pixels) {
  file.shape = pixels;
  file.layout = Layout::Hwc;
}

/// Whether a row of a field is such a file.
inline bool isLeftToDevice(const FieldSpec& spec, const TensorView& row) {
  return row.dtype == DType::Encoded && spec.dtype != DType::Encoded;
}

/// Describes the decoded pixels of such a row; data is nullptr.
inline TensorView pixelsOfFile(const TensorView& row) {
  return {DType::U8, row.layout, row.shape, nullptr,
          static_cast<std::size_t>(row.shape.elements())};
}

}  // namespace millrace
