// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace millrace {

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4), by ISA-L.
std::uint32_t crc32c(std::span<const std::byte> bytes);
/// Of parts as if they lay one behind the other.
std::uint32_t crc32c(std::initializer_list<std::span<const std::byte>> parts);

/// As TFRecord stores it: rotated and offset, lest a sum over data with sums inside be weak.
constexpr std::uint32_t maskedCrc(std::uint32_t crc) {
  return ((crc >> 15U) | (crc << 17U)) + 0xa282ead8U;
}

}  // namespace millrace
