// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device/device_erase.h"

#include "core/cuda/launch.h"
#include "core/kernels/host_device.h"

namespace millrace {

namespace {

/// x: an element of a line of the rectangle, y: a line, z: a batch row.
struct ErasePixels {
  DeviceErase erase;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    const DeviceEraseRow& row = erase.rows[z];
    const auto column = static_cast<std::int32_t>(x) / erase.channels;
    const auto line = static_cast<std::int32_t>(y);
    if (column >= row.rect.width || line >= row.rect.height) return;
    const std::int32_t c = static_cast<std::int32_t>(x) - column * erase.channels;
    const std::int64_t pixel = std::int64_t{row.rect.y + line} * row.width + row.rect.x + column;
    reinterpret_cast<std::uint8_t*>(row.picture)[pixel * erase.channels + c] =
        c == 0   ? erase.colour[0]
        : c == 1 ? erase.colour[1]
        : c == 2 ? erase.colour[2]
                 : erase.colour[3];
  }
};

}  // namespace

Status launchErase(Stream& stream, const DeviceErase& erase) {
  return forEach(stream, "erase",
                 {static_cast<std::uint32_t>(erase.largest.width * erase.channels),
                  static_cast<std::uint32_t>(erase.largest.height),
                  static_cast<std::uint32_t>(erase.rowCount)},
                 ErasePixels{erase});
}

}  // namespace millrace
