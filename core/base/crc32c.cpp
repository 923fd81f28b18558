// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>

namespace millrace {

std::uint32_t crc32c(std::initializer_list<std::span<const std::byte>> parts) {
  // ISA-L takes the length as an int and the data as non-const, but only reads it.
  constexpr std::size_t kPiece = std::size_t{1} << 30U;
  std::uint32_t sum = 0xffffffffU;
  for (std::span<const std::byte> bytes : parts)
    while (!bytes.empty()) {
      const std::size_t piece = std::min(bytes.size(), kPiece);
      auto* data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
      sum = crc32_iscsi(data, static_cast<int>(piece), sum);
      bytes = bytes.subspan(piece);
    }
  return ~sum;
}

std::uint32_t crc32c(std::span<const std::byte> bytes) { return crc32c({bytes}); }

}  // namespace millrace
