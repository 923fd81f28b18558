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

/// A Datum of Caffe (caffe.proto): a picture file, or pixels plane by plane in the order blue,
/// green, red, with a label. Borrowed from its bytes.
struct CaffeDatum {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::span<const std::byte> data;
  std::int64_t label = 0;
  bool encoded = false;
};

/// Any bytes are safe. The error is a sentence; a Datum of floats is one.
Result<CaffeDatum> parseDatum(std::span<const std::byte> bytes);

/// A Datum's pixels, red first and interleaved where there are three channels. `to` has room for
/// all of them.
void datumPixels(const CaffeDatum& datum, std::byte* to);

/// Of a picture file.
std::string encodedDatum(std::span<const std::byte> file, Size size, std::int64_t label);
/// Of u8 pixels, as datumPixels gives them.
std::string rawDatum(ImageView image, std::int64_t label);

}  // namespace millrace
