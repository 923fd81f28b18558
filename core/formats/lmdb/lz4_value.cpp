// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lmdb/lz4_value.h"

#include "core/base/little_endian.h"

namespace millrace {

namespace {

constexpr std::uint32_t kFrameMagic = 0x184D2204;

}  // namespace

bool Lz4Unpacker::isFrame(std::span<const std::byte> packed) {
  return packed.size() > kSizeBytes && littleEndian<std::uint32_t>(packed.data()) == kFrameMagic;
}

bool Lz4Unpacker::isPacked(std::span<const std::byte> packed, std::uint64_t bytes) {
  if (isFrame(packed)) return true;
  return packed.size() > kSizeBytes && littleEndian<std::uint32_t>(packed.data()) == bytes;
}

}  // namespace millrace
