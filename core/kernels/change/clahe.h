// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/data/image_view.h"

namespace millrace {

/// Contrast limited adaptive histogram equalisation (Zuiderveld, Graphics Gems IV, 1994) of u8
/// pictures in place: the histogram of each tile becomes a table, and a pixel gets the values of
/// the four nearest tables, interpolated. One channel gets the bytes of OpenCV's CLAHE. Of more,
/// the luma is changed so (0.299 R + 0.587 G + 0.114 B), and the three colours by as much; a fourth
/// channel is alpha, which stays. For use by one thread; scratch memory only grows.
class Clahe {
 public:
  /// `limit`: a value may be so many times as frequent in a tile as on average; 0: no limit.
  /// `tiles`: along each side, at least 1.
  void run(MutableImageView picture, double limit, int tiles);

 private:
  using Table = std::array<std::uint8_t, 256>;
  /// The two tables that a pixel lies between along one side, and the share of the second.
  struct Between {
    int first;
    int second;
    float share;
  };

  void readLuma(const MutableImageView& picture);
  void makeTables(Size size, double limit, int tiles);
  void change(MutableImageView picture, int tiles);
  static std::vector<Between> placesOf(int length, int tile, int tiles);

  std::vector<std::uint8_t> m_luma;
  std::vector<Table> m_tables;
  Size m_tile;
};

}  // namespace millrace
