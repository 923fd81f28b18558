// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data/buffer.h"

namespace millrace {

/// Memory between bytes that must not change, to find out whether foreign code writes outside of
/// what it was given. For use by one thread.
class GuardedMemory {
 public:
  static constexpr std::size_t kGuardBytes = 4096;

  /// `bytes` bytes aligned as those of a Buffer, with fresh guards around them.
  std::byte* take(std::size_t bytes);
  /// What the last take() returned.
  const std::byte* last() const { return m_memory.data() + kGuardBytes; }
  /// Whether the guards of the last take() are whole.
  bool whole() const;

 private:
  Buffer m_memory;
  std::size_t m_bytes = 0;
};

}  // namespace millrace
