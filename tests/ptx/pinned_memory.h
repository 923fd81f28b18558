// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace millrace::ptx {

/// Page-locked blocks of the host. Monitor.
class PinnedMemory {
 public:
  static PinnedMemory& instance();

  /// nullptr where there is none left.
  void* allocate(std::size_t bytes);
  /// Whether it is the beginning of a block.
  bool free(void* data);
  /// Of the block that begins there so many bytes are in use from now on.
  void lend(const void* data, std::size_t bytes);

  enum class Where { Elsewhere, Inside, Outside };
  /// Whether these bytes lie within what is in use of one block; Outside where only some do.
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
