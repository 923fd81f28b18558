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

/// Pixels of a mask that belong to no class: how many, and the first one in row order.
struct UnknownPixels {
  std::int64_t count = 0;
  int x = 0;
  int y = 0;
  /// The index, or the colour as 0xRRGGBB.
  std::uint32_t value = 0;
};

/// Converts an index mask (one channel) to `classes` channels of 0 and 1, u8 or f32, Hwc or Chw,
/// rows packed. Pixels whose index is not a class get zeros and are counted.
UnknownPixels oneHotMask(ImageView mask, int classes, DType type, Layout layout, std::byte* out);

/// Converts a label to `classes` elements of 0 and 1, u8, f16, bf16 or f32. If it is not a class,
/// writes zeros and returns false.
bool oneHotLabel(std::int64_t label, int classes, DType type, std::byte* out);

/// Maps colours to class numbers. A value type; any thread once built.
class ColourTable {
 public:
  using Colour = std::array<std::uint8_t, 3>;

  /// Colour i becomes class i. An error unless there are 1 to 256 distinct colours.
  static Result<ColourTable> of(const std::vector<Colour>& colours);

  int classes() const { return m_classes; }
  /// -1 if the colour is not in the table.
  int classOf(Colour colour) const;

  /// The class with the most similar colour, and the largest difference of a channel.
  struct Similar {
    int index = 0;
    int difference = 255;
  };
  Similar mostSimilar(Colour colour) const;

  /// Converts an RGB mask to an index mask of the same size; a fourth channel is ignored. Pixels of
  /// unknown colour get index `unknown` and are counted. The masks must not overlap.
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
