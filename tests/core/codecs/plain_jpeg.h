// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include <QString>

#include "core/data/image_view.h"

namespace millrace::tests {

/// Pixels with their memory.
struct Picture {
  int width = 0;
  int height = 0;
  int channels = 0;
  std::vector<std::uint8_t> bytes;

  Picture(int w, int h, int c) : width(w), height(h), channels(c), bytes(std::size_t(w) * h * c) {}
  std::uint8_t& at(int x, int y, int c = 0) {
    return bytes[(std::size_t(y) * width + x) * channels + c];
  }
  std::uint8_t at(int x, int y, int c = 0) const {
    return bytes[(std::size_t(y) * width + x) * channels + c];
  }
  ImageView view() const {
    return {bytes.data(), width, height, channels, std::ptrdiff_t(width) * channels};
  }
};

Picture copyOf(ImageView view);

/// Any rectangle of a picture of this size.
Rect randomRegion(std::mt19937& random, Size size);

/// Strong colours and noise, so that a wrong neighbour shows.
Picture colourful(int width, int height, int channels, unsigned seed);

/// JPEG variants that encodeJpeg() does not offer: any sampling of the first component, four
/// components.
struct PlainJpeg {
  int horizontal = 1;
  int vertical = 1;
  bool progressive = false;
  bool arithmetic = false;
  bool separateScans = false;  ///< One scan per component, not progressive.
  bool ycck = false;           ///< With four components: YCCK instead of CMYK.
  int restartRows = 0;
  int quality = 90;
  int restartMcus = 0;     ///< Instead of restartRows.
  bool optimised = false;  ///< Huffman tables optimised for the picture.
};
struct NamedJpeg {
  const char* name;
  PlainJpeg how;
  int channels = 3;
};
std::vector<std::byte> writePlainJpeg(const Picture& picture, const PlainJpeg& how);

/// The reference: decodes a whole valid file with the library's simplest calls, at 1/scale.
/// `channels` 1: luma, 3: RGB, 4: CMYK as stored.
Picture readPlainJpeg(std::span<const std::byte> file, int scale, int channels);

/// Empty if `view` is the part of `whole` at (left, top), else where they first differ.
QString difference(ImageView view, const Picture& whole, int left, int top);

std::vector<std::byte> readFile(const char* path);

}  // namespace millrace::tests
