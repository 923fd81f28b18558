// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace millrace {

/// Reads a little-endian number from foreign bytes, at any alignment. The caller has checked that
/// sizeof(T) bytes are there. The engine supports little-endian machines only.
template <class T>
T littleEndian(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace millrace
