// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "core/codecs/jpeg/block_layout.h"
#include "core/codecs/jpeg/inverse_dct.h"

namespace millrace::jpeg::plain {
namespace {

using K = DctConstants;
using Row = std::array<std::int16_t, 8>;
/// Eight columns of a block (rows once it is transposed).
using Block = std::array<Row, 8>;

// 32-bit operations that wrap, like vector lanes.
std::int32_t sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}
std::int32_t difference(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
/// a * x + b * y; 16-bit arguments cannot overflow.
std::int32_t pair(int a, std::int16_t x, int b, std::int16_t y) { return sum(a * x, b * y); }
std::int16_t wrapped(int value) { return static_cast<std::int16_t>(value); }
std::int32_t shiftedUp(std::int32_t value, int bits) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) << bits);
}
std::int32_t descaled(std::int32_t value, int bits) { return sum(value, 1 << (bits - 1)) >> bits; }
std::int16_t saturated(std::int32_t value) {
  return static_cast<std::int16_t>(std::clamp(value, -32768, 32767));
}
std::uint8_t pixel(std::int32_t value) {
  return static_cast<std::uint8_t>(std::clamp(value, -128, 127) + 128);
}

/// One column of jidctint.c.
std::array<std::int32_t, 8> transform8(const std::array<std::int16_t, 8>& in, int bits) {
  const std::int32_t tmp2 = pair(K::k0_541, in[2], K::k0_541 - K::k1_847, in[6]);
  const std::int32_t tmp3 = pair(K::k0_541 + K::k0_765, in[2], K::k0_541, in[6]);
  const std::int32_t tmp0 = shiftedUp(wrapped(in[0] + in[4]), K::kBits);
  const std::int32_t tmp1 = shiftedUp(wrapped(in[0] - in[4]), K::kBits);
  const std::array even{sum(tmp0, tmp3), sum(tmp1, tmp2), difference(tmp1, tmp2),
                        difference(tmp0, tmp3)};

  const std::int16_t z3 = wrapped(in[7] + in[3]);
  const std::int16_t z4 = wrapped(in[5] + in[1]);
  const std::int32_t turned3 = pair(K::k1_175 - K::k1_961, z3, K::k1_175, z4);
  const std::int32_t turned4 = pair(K::k1_175, z3, K::k1_175 - K::k0_390, z4);
  const std::array odd{sum(pair(-K::k0_899, in[7], K::k1_501 - K::k0_899, in[1]), turned4),
                       sum(pair(-K::k2_562, in[5], K::k3_072 - K::k2_562, in[3]), turned3),
                       sum(pair(K::k2_053 - K::k2_562, in[5], -K::k2_562, in[3]), turned4),
                       sum(pair(K::k0_298 - K::k0_899, in[7], -K::k0_899, in[1]), turned3)};
  std::array<std::int32_t, 8> out{};
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = descaled(sum(even[i], odd[i]), bits);
    out[7 - i] = descaled(difference(even[i], odd[i]), bits);
  }
  return out;
}

/// One column of jpeg_idct_4x4 in jidctred.c; in[4] is not used.
std::array<std::int32_t, 4> transform4(const std::array<std::int16_t, 8>& in, int bits) {
  const std::int32_t tmp0 = shiftedUp(in[0], K::kBits + 1);
  const std::int32_t tmp2 = pair(K::k1_847, in[2], -K::k0_765, in[6]);
  const std::int32_t odd0 =
      sum(pair(K::k1_061, in[1], -K::k2_172, in[3]), pair(K::k1_451, in[5], -K::k0_211, in[7]));
  const std::int32_t odd2 =
      sum(pair(K::k2_562, in[1], K::k0_899, in[3]), pair(-K::k0_601, in[5], -K::k0_509, in[7]));
  const std::int32_t even0 = sum(tmp0, tmp2);
  const std::int32_t even1 = difference(tmp0, tmp2);
  return {descaled(sum(even0, odd2), bits), descaled(sum(even1, odd0), bits),
          descaled(difference(even1, odd0), bits), descaled(difference(even0, odd2), bits)};
}

/// One column of jpeg_idct_2x2. `first` has 32 bits because the second pass needs more than 16.
std::array<std::int32_t, 2> transform2(std::int32_t first, const std::array<std::int16_t, 8>& in,
                                       int bits) {
  const std::int32_t even = shiftedUp(first, K::kBits + 2);
  const std::int32_t odd =
      sum(pair(K::k3_624, in[1], -K::k1_272, in[3]), pair(K::k0_850, in[5], -K::k0_720, in[7]));
  return {descaled(sum(even, odd), bits), descaled(difference(even, odd), bits)};
}

Row column(const Block& block, std::size_t c) {
  Row out{};
  for (std::size_t r = 0; r < 8; ++r) out[r] = block[r][c];
  return out;
}

void transformTo8(const Block& block, std::uint8_t* out, std::size_t stride) {
  Block rows{};
  for (std::size_t c = 0; c < 8; ++c) {
    const auto made = transform8(column(block, c), K::kBits - K::kPass1Bits);
    for (std::size_t r = 0; r < 8; ++r) rows[r][c] = saturated(made[r]);
  }
  for (std::size_t r = 0; r < 8; ++r) {
    const auto made = transform8(rows[r], K::kBits + K::kPass1Bits + 3);
    for (std::size_t c = 0; c < 8; ++c) out[r * stride + c] = pixel(made[c]);
  }
}

void transformTo4(const Block& block, std::uint8_t* out, std::size_t stride) {
  Block rows{};
  for (std::size_t c = 0; c < 8; ++c) {
    const auto made = transform4(column(block, c), K::kBits - K::kPass1Bits + 1);
    for (std::size_t r = 0; r < 4; ++r) rows[r][c] = saturated(made[r]);
  }
  for (std::size_t r = 0; r < 4; ++r) {
    const auto made = transform4(rows[r], K::kBits + K::kPass1Bits + 3 + 1);
    for (std::size_t c = 0; c < 4; ++c) out[r * stride + c] = pixel(made[c]);
  }
}

void transformTo2(const Block& block, std::uint8_t* out, std::size_t stride) {
  Block rows{};
  std::array<std::int32_t, 2> first{};
  for (std::size_t c = 0; c < 8; ++c) {
    const Row in = column(block, c);
    const auto made = transform2(in[0], in, K::kBits - K::kPass1Bits + 2);
    if (c == 0) first = made;
    for (std::size_t r = 0; r < 2; ++r) rows[r][c] = saturated(made[r]);
  }
  for (std::size_t r = 0; r < 2; ++r) {
    const auto made = transform2(first[r], rows[r], K::kBits + K::kPass1Bits + 3 + 2);
    for (std::size_t c = 0; c < 2; ++c) out[r * stride + c] = pixel(made[c]);
  }
}

}  // namespace

bool inverseDct(const std::int16_t* coefficients, std::size_t groups, const QuantTable& quant,
                int size, std::uint8_t* out, std::size_t stride) {
  bool plausible = true;
  for (std::size_t i = 0; i < groups * kGroupBlocks; ++i, out += size) {
    const std::int16_t* from = coefficients + blockOffset(i);
    if (size == 1) {
      const int average = from[0] * quant[0];
      plausible = plausible && std::abs(average) <= kLargestPlausibleSum;
      out[0] = pixel((average + 4) >> 3);
      continue;
    }
    Block block{};
    for (std::size_t at = 0; at < 64; ++at)
      block[at / 8][at % 8] = wrapped(from[at / 8 * kGroupRow + at % 8] * quant[at]);
    for (const std::int16_t value : block[0])
      plausible = plausible && std::abs(value) <= kLargestPlausible;
    if (size == 8) transformTo8(block, out, stride);
    if (size == 4) transformTo4(block, out, stride);
    if (size == 2) transformTo2(block, out, stride);
  }
  return plausible;
}

}  // namespace millrace::jpeg::plain
