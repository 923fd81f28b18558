// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/data/image_view.h"

namespace millrace {

/// Sums over all pixels of a picture, exact. Value.
struct PictureFigures {
  int channels = 0;
  std::uint64_t pixels = 0;
  std::array<std::uint64_t, 4> sum{};
  std::array<std::uint64_t, 4> squares{};

  /// Of the values 0 to 255 of a channel.
  double mean(int channel) const;
  double meanSquare(int channel) const;
  /// The population's standard deviation.
  double deviation(int channel) const;
  /// Whether all pixels are equal.
  bool isConstant() const;
};

/// Of a picture with 1 to 4 channels and at least one pixel.
PictureFigures figuresOf(const ImageView& picture);

/// A 64-bit perceptual hash: copies that were encoded again or resized differ in few bits. This is
/// dHash of Neal Krawetz, "Kind of Like That", Hacker Factor, 2013: the luma of a grid of 9 x 8
/// means; bit 8 y + x is set if the mean at (x, y) is less than its right neighbour. Each mean
/// takes all columns and at most 16 evenly spaced rows of its cell. Channels as for figuresOf.
std::uint64_t differenceHash(const ImageView& picture);

}  // namespace millrace
