// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtTest>

#include <cstddef>
#include <string>
#include <vector>

#include "core/codecs/codec.h"

namespace millrace::tests {

using Numbers = std::vector<float>;

/// The numbers of the region, or none and a warning.
inline Numbers storedNumbers(const std::vector<std::byte>& file, Rect region = {},
                             bool upright = true) {
  ImageDecoder decoder;
  const auto info = decoder.open(file);
  if (!info) {
    qWarning("%s", info.error().message.c_str());
    return {};
  }
  const auto image =
      decoder.decode({.region = region, .form = PixelForm::Stored, .applyOrientation = upright});
  if (!image) {
    qWarning("%s", image.error().message.c_str());
    return {};
  }
  if (image->pixels.data != nullptr) qWarning("there are pixels, too");
  Numbers numbers;
  const ValueView view = image->values;
  for (int y = 0; y < view.height; ++y)
    numbers.insert(numbers.end(), view.row(y), view.row(y) + view.width * view.channels);
  return numbers;
}

/// The error of opening or decoding; empty: there is none.
inline std::string storedError(const std::vector<std::byte>& file,
                               PixelForm form = PixelForm::Stored, DecodeLimits limits = {}) {
  ImageDecoder decoder(limits);
  const auto info = decoder.open(file);
  if (!info) return info.error().message;
  const auto image = decoder.decode({.form = form});
  return image ? std::string() : image.error().message;
}

}  // namespace millrace::tests
