// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace millrace::fuzz {

/// CRC-32 of ISO 3309, byte by byte.
inline constexpr std::array<std::uint32_t, 256> kSums = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    table[i] = i;
    for (int bit = 0; bit < 8; ++bit)
      table[i] = (table[i] & 1U) != 0 ? table[i] >> 1U ^ 0xedb88320U : table[i] >> 1U;
  }
  return table;
}();

/// Corrects every chunk's checksum; otherwise hardly any input would get past the first.
inline void repairCheckSums(std::vector<std::uint8_t>& file) {
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::size_t length = static_cast<std::size_t>(file[at]) << 24U | file[at + 1] << 16U |
                               file[at + 2] << 8U | file[at + 3];
    if (length > file.size() - at - 12) return;
    std::uint32_t sum = 0xffffffffU;
    for (std::size_t i = 0; i < length + 4; ++i)
      sum = kSums[(sum ^ file[at + 4 + i]) & 0xffU] ^ sum >> 8U;
    for (std::size_t i = 0; i < 4; ++i)
      file[at + 8 + length + i] = static_cast<std::uint8_t>(~sum >> (24U - 8U * i));
    at += 12 + length;
  }
}

}  // namespace millrace::fuzz
