// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/core/codecs/plain_jpeg.h"

namespace millrace::tests {

// Files of the formats of optional parts, drawn with their libraries' encoders, without loss unless
// it says otherwise. Each function is compiled only with its part.

/// Frame `frame` of the files below with several: the values are higher, and wrap; alpha is the
/// same.
inline Picture frameOf(Picture picture, int frame) {
  for (std::size_t i = 0; i < picture.bytes.size(); ++i)
    if (picture.channels != 4 || i % 4 != 3)
      picture.bytes[i] = std::uint8_t(picture.bytes[i] + frame);
  return picture;
}

struct PlainGif {
  bool interlaced = false;
  int frames = 1;
  int disposal = 0;      ///< of every frame, as stored
  int transparent = -1;  ///< index of the first frame
  int left = 0;          ///< of the frame on the screen
  int top = 0;
  Size screen{};  ///< {0, 0}: that of the picture
};
/// The colour of an index in these files.
std::array<std::uint8_t, 3> gifColour(int index);
/// `indices` has one channel.
std::vector<std::byte> writePlainGif(const Picture& indices, const PlainGif& how);

struct PlainAvif {
  int depth = 8;    ///< deeper ones store the values times 2^(depth - 8)
  int turns = 0;    ///< counter-clockwise
  int mirror = -1;  ///< 0: top and bottom, 1: left and right
  int frames = 1;
  bool lossy = false;
};
/// Grey, RGB, or RGB and alpha.
std::vector<std::byte> writePlainAvif(const Picture& picture, const PlainAvif& how);

/// RGB, or RGB and alpha, with the loss of a conversion to YCbCr. Of several pictures, picture i
/// is frameOf(picture, 40 * i), so that the loss does not hide which it is.
std::vector<std::byte> writePlainHeic(const Picture& picture, int pictures = 1);

struct PlainJxl {
  int orientation = 1;
  int frames = 1;
  bool lossy = false;
};
/// Grey, RGB, or RGB and alpha.
std::vector<std::byte> writePlainJxl(const Picture& picture, const PlainJxl& how);

struct PlainJpeg2000 {
  int depth = 8;      ///< deeper ones store the values times 2^(depth - 8)
  bool bare = false;  ///< a codestream instead of a JP2 file
  int tile = 0;       ///< side; 0: one tile
  bool ycc = false;   ///< stores the channels as YCbCr, chroma at half the size
  bool lossy = false;
};
/// Any number of channels.
std::vector<std::byte> writePlainJpeg2000(const Picture& picture, const PlainJpeg2000& how);

}  // namespace millrace::tests
