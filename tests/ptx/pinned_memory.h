// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace millrace::ptx {

/// Page-locked blocks of host memory. Thread-safe.
class PinnedMemory {
 public:
  static PinnedMemory& instance();

  /// nullptr if no memory is left.
  void* allocate(std::size_t bytes);
  /// Returns whether it is the beginning of a block.
  bool free(void* data);
  /// Marks this many bytes of the block as in use.
  void lend(const void* data, std::size_t bytes);

  enum class Where { Elsewhere, Inside, Outside };
  /// Whether these bytes are in the used part of one block; Outside if only some are.
  Where where(const void* data, std::size_t bytes) const;

 private:
  struct Block {
    std::size_t bytes;
    std::size_t lent;
  };
  mutable std::mutex m_mutex;
  std::map<std::uint64_t, Block> m_blocks;
};

}  // namespace millrace::ptx
