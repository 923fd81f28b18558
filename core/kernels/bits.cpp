// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/bits.h"

#include <array>
#include <bit>
#include <cstring>

namespace millrace {

namespace {

static_assert(std::endian::native == std::endian::little);

/// The eight bits of a byte as eight bytes; the first bit is in the lowest byte.
constexpr std::array<std::uint64_t, 256> kSpread = [] {
  std::array<std::uint64_t, 256> table{};
  for (std::size_t value = 0; value < 256; ++value)
    for (std::size_t bit = 0; bit < 8; ++bit)
      table[value] |= static_cast<std::uint64_t>(value >> (7 - bit) & 1U) << (8 * bit);
  return table;
}();

}  // namespace

void unpackBits(const std::byte* from, std::size_t first, std::size_t count, std::uint8_t* to) {
  const std::byte* byte = from + first / 8;
  const unsigned shift = first % 8;
  for (; count >= 8; count -= 8, to += 8, ++byte) {
    auto value = std::to_integer<unsigned>(byte[0]);
    if (shift != 0) value = (value << shift | std::to_integer<unsigned>(byte[1]) >> (8 - shift));
    std::memcpy(to, &kSpread[value & 255U], 8);
  }
  for (std::size_t bit = shift; count > 0; --count, ++bit)
    *to++ = std::to_integer<unsigned>(byte[bit / 8]) >> (7 - bit % 8) & 1U;
}

}  // namespace millrace
