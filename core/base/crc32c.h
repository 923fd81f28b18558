// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace millrace {

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4), computed by ISA-L.
std::uint32_t crc32c(std::span<const std::byte> bytes);
/// The CRC-32C of the concatenated parts.
std::uint32_t crc32c(std::initializer_list<std::span<const std::byte>> parts);

/// The masked CRC that TFRecord stores: rotated and offset, because a CRC over data that contains
/// CRCs would be weak.
constexpr std::uint32_t maskedCrc(std::uint32_t crc) {
  return ((crc >> 15U) | (crc << 17U)) + 0xa282ead8U;
}

}  // namespace millrace
