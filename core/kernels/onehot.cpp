// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/onehot.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/base/check.h"

namespace millrace {

namespace {

void note(UnknownPixels& unknown, int x, int y, std::uint32_t value) {
  if (unknown.count++ > 0) return;
  unknown.x = x;
  unknown.y = y;
  unknown.value = value;
}

template <class T>
UnknownPixels oneHot(ImageView mask, int classes, Layout layout, T* out) {
  const auto area = static_cast<std::ptrdiff_t>(mask.width) * mask.height;
  std::memset(out, 0, static_cast<std::size_t>(area * classes) * sizeof(T));
  const std::ptrdiff_t classStep = layout == Layout::Chw ? area : 1;
  const std::ptrdiff_t pixelStep = layout == Layout::Chw ? 1 : classes;
  UnknownPixels unknown;
  for (int y = 0; y < mask.height; ++y) {
    const std::uint8_t* row = mask.row(y);
    for (int x = 0; x < mask.width; ++x, out += pixelStep)
      if (row[x] < classes)
        out[row[x] * classStep] = T{1};
      else
        note(unknown, x, y, row[x]);
  }
  return unknown;
}

std::uint32_t packed(const std::uint8_t* colour) {
  return static_cast<std::uint32_t>(colour[0] << 16 | colour[1] << 8 | colour[2]);
}

/// Multiplicative hash to ten bits (Knuth, TAOCP 3, 6.4).
std::size_t hashed(std::uint32_t colour) { return (colour * 2654435761U) >> 22U; }

}  // namespace

UnknownPixels oneHotMask(ImageView mask, int classes, DType type, Layout layout, std::byte* out) {
  MILLRACE_CHECK(mask.channels == 1, "an index mask must have one channel");
  MILLRACE_CHECK(classes > 0, "one-hot needs at least one class");
  MILLRACE_CHECK(type == DType::U8 || type == DType::F32, "a one-hot mask must be u8 or f32");
  if (type == DType::U8) return oneHot(mask, classes, layout, reinterpret_cast<std::uint8_t*>(out));
  return oneHot(mask, classes, layout, reinterpret_cast<float*>(out));
}

bool oneHotLabel(std::int64_t label, int classes, DType type, std::byte* out) {
  MILLRACE_CHECK(
      type == DType::U8 || type == DType::F16 || type == DType::BF16 || type == DType::F32,
      "a one-hot label must be u8, f16, bf16 or f32");
  const std::size_t size = sizeOf(type);
  std::memset(out, 0, static_cast<std::size_t>(classes) * size);
  if (label < 0 || label >= classes) return false;
  std::byte* at = out + static_cast<std::size_t>(label) * size;
  const float one = 1;
  const std::uint16_t half = type == DType::F16 ? 0x3c00 : 0x3f80;
  if (type == DType::U8)
    *at = std::byte{1};
  else if (type == DType::F32)
    std::memcpy(at, &one, sizeof(one));
  else
    std::memcpy(at, &half, sizeof(half));
  return true;
}

Result<ColourTable> ColourTable::of(const std::vector<Colour>& colours) {
  if (colours.empty() || colours.size() > 256)
    return Error{"a colour table needs 1 to 256 colours, this one has " +
                 std::to_string(colours.size())};
  ColourTable table;
  table.m_slots.resize(kSlots);
  for (const Colour& colour : colours) {
    const std::uint32_t key = packed(colour.data());
    const int other = table.find(key);
    if (other >= 0)
      return Error{"classes " + std::to_string(other) + " and " + std::to_string(table.m_classes) +
                   " of the colour table have the same colour"};
    std::size_t at = hashed(key);
    while (table.m_slots[at].index >= 0) at = (at + 1) % kSlots;
    table.m_slots[at] = {key, table.m_classes++};
  }
  return table;
}

std::int32_t ColourTable::find(std::uint32_t colour) const {
  for (std::size_t at = hashed(colour);; at = (at + 1) % kSlots)
    if (m_slots[at].index < 0 || m_slots[at].colour == colour) return m_slots[at].index;
}

int ColourTable::classOf(Colour colour) const { return find(packed(colour.data())); }

ColourTable::Similar ColourTable::mostSimilar(Colour colour) const {
  const auto part = [](std::uint32_t of, std::size_t i) {
    return static_cast<int>((of >> (8 * i)) & 0xffU);
  };
  const std::uint32_t wanted = packed(colour.data());
  Similar best;
  for (const Slot& slot : m_slots) {
    if (slot.index < 0) continue;
    int difference = 0;
    for (std::size_t i = 0; i < colour.size(); ++i)
      difference = std::max(difference, std::abs(part(slot.colour, i) - part(wanted, i)));
    if (difference < best.difference) best = {slot.index, difference};
  }
  return best;
}

UnknownPixels ColourTable::toIndices(ImageView colours, std::uint8_t unknown,
                                     MutableImageView indices) const {
  MILLRACE_CHECK(colours.channels >= 3 && indices.channels == 1 && colours.size() == indices.size(),
                 "a colour mask and its index mask must have the same size");
  UnknownPixels missed;
  // Neighbouring pixels mostly have the same colour.
  std::uint32_t lastColour = 0;
  std::int32_t lastClass = find(0);
  for (int y = 0; y < colours.height; ++y) {
    const std::uint8_t* from = colours.row(y);
    std::uint8_t* to = indices.row(y);
    for (int x = 0; x < colours.width; ++x, from += colours.channels) {
      const std::uint32_t colour = packed(from);
      if (colour != lastColour) {
        lastColour = colour;
        lastClass = find(colour);
      }
      if (lastClass < 0) note(missed, x, y, colour);
      to[x] = lastClass < 0 ? unknown : static_cast<std::uint8_t>(lastClass);
    }
  }
  return missed;
}

}  // namespace millrace
