// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace millrace {

/// Numbers as they lie in foreign files, at any alignment. The caller has checked that the bytes
/// are there. This engine runs on little-endian machines alone.
template <class T>
T littleEndian(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace millrace
