// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/codecs/jpeg/colour_rows.h"

namespace millrace::jpeg::plain {
namespace {

std::uint8_t clamped(int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); }

}  // namespace

void upsampleRow(const ChromaRow& row, Upsampling how, std::uint8_t* out) {
  const int factor = how == Upsampling::None ? 1 : how == Upsampling::Repeat4 ? 4 : 2;
  const auto column = [&](int i) {
    if (i < 0 && !row.hasLeft) i = 0;
    if (i >= row.count && !row.hasRight) i = row.count - 1;
    return row.near != nullptr ? 3 * row.samples[i] + row.near[i] : row.samples[i];
  };
  for (int x = 0; x < row.count * factor; ++x) {
    const int i = x / factor;
    int value = column(i);
    if (how == Upsampling::SmoothAcross) {
      value = 3 * value + column(x % 2 == 0 ? i - 1 : i + 1);
      const bool both = row.near != nullptr;
      value = both ? (value + (x % 2 == 0 ? 8 : 7)) >> 4 : (value + (x % 2 == 0 ? 1 : 2)) >> 2;
    } else if (row.near != nullptr) {
      value = (value + (row.isLower ? 2 : 1)) >> 2;
    }
    out[x] = static_cast<std::uint8_t>(value);
  }
}

void ycbcrToRgb(const std::uint8_t* y, const std::uint8_t* cb, const std::uint8_t* cr, int width,
                std::uint8_t* rgb) {
  constexpr int kHalf = 1 << 15;
  for (int x = 0; x < width; ++x, rgb += 3) {
    const int blue = cb[x] - 128;
    const int red = cr[x] - 128;
    rgb[0] = clamped(y[x] + ((91881 * red + kHalf) >> 16));
    rgb[1] = clamped(y[x] + ((-22554 * blue - 46802 * red + kHalf) >> 16));
    rgb[2] = clamped(y[x] + ((116130 * blue + kHalf) >> 16));
  }
}

}  // namespace millrace::jpeg::plain
