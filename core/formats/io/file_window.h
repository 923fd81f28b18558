// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/result.h"
#include "core/data/buffer.h"

namespace millrace {

/// A buffered window into a file for scanning it. One thread; the descriptor must outlive it.
class FileWindow {
 public:
  explicit FileWindow(int fd) : m_fd(fd) {}

  /// After content shorter than this, the next head is worth reading `ahead`.
  static constexpr std::uint64_t kShort = std::uint64_t{1} << 14U;

  /// `count` bytes at `offset`, valid until the next call; nullptr if the file ends before.
  /// `ahead`: reads more, because the following bytes will be needed too.
  Result<const std::byte*> at(std::uint64_t offset, std::size_t count, bool ahead);

 private:
  const int m_fd;
  Buffer m_bytes;
  std::uint64_t m_offset = 0;
  std::size_t m_held = 0;
};

}  // namespace millrace
