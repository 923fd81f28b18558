// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/plugins/guarded_memory.h"

#include <algorithm>
#include <cstring>

namespace millrace {

namespace {

constexpr int kGuard = 0xA5;

bool isGuard(const std::byte* at) {
  return std::all_of(at, at + GuardedMemory::kGuardBytes,
                     [](std::byte byte) { return byte == std::byte{kGuard}; });
}

}  // namespace

std::byte* GuardedMemory::take(std::size_t bytes) {
  m_bytes = bytes;
  std::byte* const begin = m_memory.reserve(bytes + 2 * kGuardBytes);
  std::memset(begin, kGuard, kGuardBytes);
  std::memset(begin + kGuardBytes + bytes, kGuard, kGuardBytes);
  return begin + kGuardBytes;
}

bool GuardedMemory::whole() const {
  const std::byte* const begin = m_memory.data();
  return isGuard(begin) && isGuard(begin + kGuardBytes + m_bytes);
}

}  // namespace millrace
