// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/data/image_view.h"

namespace millrace {

/// For sample data, previews and tests, not for the hot path: each call allocates.
enum class Subsampling : std::uint8_t { S444, S422, S420 };

struct JpegSettings {
  int quality = 90;  ///< 1 to 100, libjpeg's scale.
  Subsampling subsampling = Subsampling::S420;
  bool progressive = false;
  int restartRows = 0;  ///< A restart marker after this many rows of MCUs; 0: none.
};

/// Encodes one channel (grey) or three (RGB).
Result<std::vector<std::byte>> encodeJpeg(ImageView image, const JpegSettings& settings = {});

struct PngSettings {
  int level = 6;  ///< zlib's level, 0 to 9.
  /// If not empty: the image has one channel of indices into these 1 to 256 colours.
  std::span<const std::array<std::uint8_t, 3>> palette{};
};

/// Encodes one channel (grey, or indices with a palette), three (RGB) or four (RGBA), 8 bits each.
Result<std::vector<std::byte>> encodePng(ImageView image, const PngSettings& settings = {});

}  // namespace millrace
