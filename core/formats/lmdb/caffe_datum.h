// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/data/image_view.h"

namespace millrace {

/// Caffe's Datum (caffe.proto): a picture file, or pixels in planes in the order blue, green, red,
/// with a label. Borrows from its bytes.
struct CaffeDatum {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::span<const std::byte> data;
  std::int64_t label = 0;
  bool encoded = false;
};

/// Safe for any bytes. The error is a sentence; a Datum of floats is an error.
Result<CaffeDatum> parseDatum(std::span<const std::byte> bytes);

/// Copies a Datum's pixels to `to`, which must have space for all of them; three channels become
/// interleaved RGB.
void datumPixels(const CaffeDatum& datum, std::byte* to);

/// A Datum with a picture file.
std::string encodedDatum(std::span<const std::byte> file, Size size, std::int64_t label);
/// A Datum with u8 pixels, in the layout that datumPixels returns.
std::string rawDatum(ImageView image, std::int64_t label);

}  // namespace millrace
