// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/cuda/stream.h"
#include "core/data/image_view.h"

namespace millrace {

/// eraseWithColour() for a whole batch in device memory, in place.
struct DeviceEraseRow {
  std::uint64_t picture = 0;  ///< address of packed u8 pixels
  std::int32_t width = 0;     ///< of the picture
  Rect rect;                  ///< inside the picture; empty: the picture is unchanged
};

struct DeviceErase {
  const DeviceEraseRow* rows = nullptr;  ///< in device memory
  std::int32_t rowCount = 0;
  std::int32_t channels = 3;
  Size largest;  ///< the largest of all rectangles
  std::uint8_t colour[4] = {};
};

Status launchErase(Stream& stream, const DeviceErase& erase);

}  // namespace millrace
