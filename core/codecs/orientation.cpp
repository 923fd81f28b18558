// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/orientation.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/base/check.h"

namespace millrace {
namespace {

/// Bounds-checked numbers of a TIFF structure in its byte order; 0 after the end.
struct TiffBytes {
  std::span<const std::byte> bytes;
  bool bigEndian = false;

  std::uint32_t number(std::size_t at, std::size_t size) const {
    if (at > bytes.size() || bytes.size() - at < size) return 0;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value =
          value << 8U | std::to_integer<std::uint32_t>(bytes[at + (bigEndian ? i : size - 1 - i)]);
    return value;
  }
};

/// An orientation as up to three steps on stored coordinates: swap the axes, then mirror x or y.
struct Turn {
  bool transposed;
  bool mirroredX;
  bool mirroredY;
};

Turn turnOf(int orientation) {
  static constexpr std::array<Turn, 8> kTurns{{{false, false, false},
                                               {false, true, false},
                                               {false, true, true},
                                               {false, false, true},
                                               {true, false, false},
                                               {true, false, true},
                                               {true, true, true},
                                               {true, true, false}}};
  MILLRACE_CHECK(orientation >= 1 && orientation <= 8, "an EXIF orientation must be from 1 to 8");
  return kTurns[static_cast<std::size_t>(orientation - 1)];
}

/// `kChannels` 0: any number of channels.
template <int kChannels>
void copyTurned(ImageView stored, Turn turn, MutableImageView seen) {
  const int channels = kChannels > 0 ? kChannels : stored.channels;
  // One pixel to the right in the displayed image is `across` bytes in the stored image.
  const std::ptrdiff_t across = turn.transposed ? (turn.mirroredY ? -stored.stride : stored.stride)
                                                : (turn.mirroredX ? -channels : channels);
  for (int y = 0; y < seen.height; ++y) {
    const int u = turn.transposed ? y : 0;
    const int v = turn.transposed ? 0 : y;
    const int x0 = turn.mirroredX ? stored.width - 1 - u : u;
    const int y0 = turn.mirroredY ? stored.height - 1 - v : v;
    const std::uint8_t* from = stored.row(y0) + static_cast<std::ptrdiff_t>(x0) * channels;
    std::uint8_t* to = seen.row(y);
    for (int x = 0; x < seen.width; ++x, from += across, to += channels)
      std::memcpy(to, from, static_cast<std::size_t>(channels));
  }
}

}  // namespace

int exifOrientation(std::span<const std::byte> tiff) {
  TiffBytes file{tiff};
  const std::uint32_t order = file.number(0, 2);
  if (order != 0x4949 && order != 0x4d4d) return 1;
  file.bigEndian = order == 0x4d4d;
  if (file.number(2, 2) != 42) return 1;
  const std::size_t directory = file.number(4, 4);
  const std::uint32_t entries = file.number(directory, 2);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + 12UL * i;
    if (entry + 12 > tiff.size()) return 1;
    if (file.number(entry, 2) != 0x0112) continue;
    const bool isShort = file.number(entry + 2, 2) == 3;
    const std::uint32_t value = file.number(entry + 8, isShort ? 2 : 4);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Size orientedSize(Size stored, int orientation) {
  return turnOf(orientation).transposed ? Size{stored.height, stored.width} : stored;
}

Rect storedRegion(Rect seen, Size stored, int orientation) {
  const Turn turn = turnOf(orientation);
  if (turn.transposed) seen = {seen.y, seen.x, seen.height, seen.width};
  if (turn.mirroredX) seen.x = stored.width - seen.x - seen.width;
  if (turn.mirroredY) seen.y = stored.height - seen.y - seen.height;
  return seen;
}

Box seenBox(Box box, Size stored, int orientation) {
  const Turn turn = turnOf(orientation);
  if (turn.mirroredX)
    box = {stored.width - box.right, box.top, stored.width - box.left, box.bottom};
  if (turn.mirroredY)
    box = {box.left, stored.height - box.bottom, box.right, stored.height - box.top};
  return turn.transposed ? Box{box.top, box.left, box.bottom, box.right} : box;
}

void orientPixels(ImageView stored, int orientation, MutableImageView seen) {
  const Size size = orientedSize(stored.size(), orientation);
  MILLRACE_CHECK(size == seen.size() && stored.channels == seen.channels,
                 "the target must have the oriented size");
  const Turn turn = turnOf(orientation);
  switch (stored.channels) {
    case 1: return copyTurned<1>(stored, turn, seen);
    case 3: return copyTurned<3>(stored, turn, seen);
    default: return copyTurned<0>(stored, turn, seen);
  }
}

void orientValues(ValueView stored, int orientation, MutableValueView seen) {
  constexpr int kBytes = sizeof(float);
  orientPixels({reinterpret_cast<const std::uint8_t*>(stored.data), stored.width, stored.height,
                stored.channels * kBytes, stored.stride * kBytes},
               orientation,
               {reinterpret_cast<std::uint8_t*>(seen.data), seen.width, seen.height,
                seen.channels * kBytes, seen.stride * kBytes});
}

}  // namespace millrace
