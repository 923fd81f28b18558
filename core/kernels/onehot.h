// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/data/dtype.h"
#include "core/data/image_view.h"
#include "core/data/stream_type.h"

namespace millrace {

/// Pixels of a mask that stand for no class: how many, and where the first is (row by row).
struct UnknownPixels {
  std::int64_t count = 0;
  int x = 0;
  int y = 0;
  /// The index, or the colour as 0xRRGGBB.
  std::uint32_t value = 0;
};

/// Index mask (one channel) to `classes` channels of 0 and 1, u8 or f32, Hwc or Chw, rows packed.
/// An index that is no class gives all zeros and is counted.
UnknownPixels oneHotMask(ImageView mask, int classes, DType type, Layout layout, std::byte* out);

/// A label to `classes` elements of 0 and 1, u8, f16, bf16 or f32; false and all zeros when it is
/// no class.
bool oneHotLabel(std::int64_t label, int classes, DType type, std::byte* out);

/// Class numbers of colours. Value; any thread once built.
class ColourTable {
 public:
  using Colour = std::array<std::uint8_t, 3>;

  /// Colour i is class i; 1 to 256 colours. An error when there are none, too many, or two alike.
  static Result<ColourTable> of(const std::vector<Colour>& colours);

  int classes() const { return m_classes; }
  /// -1 when the colour is not in the table.
  int classOf(Colour colour) const;

  /// RGB mask to index mask of the same size; a fourth channel is not looked at. A pixel of unknown
  /// colour gets index `unknown`, and is counted. Masks do not overlap.
  UnknownPixels toIndices(ImageView colours, std::uint8_t unknown, MutableImageView indices) const;

 private:
  struct Slot {
    std::uint32_t colour = 0;
    std::int32_t index = -1;
  };
  std::int32_t find(std::uint32_t colour) const;

  static constexpr std::size_t kSlots = 1024;  ///< at most a quarter full
  std::vector<Slot> m_slots;
  int m_classes = 0;
};

}  // namespace millrace
