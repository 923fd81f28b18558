// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace millrace::jpeg {

/// Quantisation steps in natural order.
using QuantTable = std::array<std::uint16_t, 64>;

/// Dequantises and transforms `groups` neighbouring groups (block_layout.h) to blocks of `size` x
/// `size` pixels (size 8, 4, 2 or 1): size * 4 * groups columns and `size` rows from `out`.
///
/// The arithmetic equals libjpeg-turbo's bit for bit: the accurate integer transform of Loeffler,
/// Ligtenberg and Moschytz (jidctint.c) at size 8, its reduced forms (jidctred.c) below, with the
/// order, wrapping and saturation of the library's vector code (jidctint-avx2.asm,
/// jidctred-sse2.asm). Returns false if a coefficient is so far outside the range of photos that
/// the library's own implementations differ from each other; the pixels are meaningless then.
bool inverseDct(const std::int16_t* coefficients, std::size_t groups, const QuantTable& quant,
                int size, std::uint8_t* out, std::size_t stride);

/// The reference for every vector level, without vectors.
namespace plain {
bool inverseDct(const std::int16_t* coefficients, std::size_t groups, const QuantTable& quant,
                int size, std::uint8_t* out, std::size_t stride);
}

/// Above it, a row of the first pass may take a shortcut that wraps instead of saturating.
constexpr int kLargestPlausible = 8191;
/// Above it, the transform to one pixel, which has no vector code, wraps.
constexpr int kLargestPlausibleSum = 4095;

/// Constants of the transforms in units of 1 / 2^13, named after their values.
struct DctConstants {
  static constexpr int kBits = 13;
  static constexpr int kPass1Bits = 2;
  static constexpr int k0_211 = 1730, k0_298 = 2446, k0_390 = 3196, k0_509 = 4176, k0_541 = 4433,
                       k0_601 = 4926, k0_720 = 5906, k0_765 = 6270, k0_850 = 6967, k0_899 = 7373,
                       k1_061 = 8697, k1_175 = 9633, k1_272 = 10426, k1_451 = 11893, k1_501 = 12299,
                       k1_847 = 15137, k1_961 = 16069, k2_053 = 16819, k2_172 = 17799,
                       k2_562 = 20995, k3_072 = 25172, k3_624 = 29692;
};

}  // namespace millrace::jpeg
