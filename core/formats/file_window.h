// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/result.h"
#include "core/data/buffer.h"

namespace millrace {

/// The part of a file that whoever looks through it has in front of the eyes. One thread; the
/// descriptor must outlive it.
class FileWindow {
 public:
  explicit FileWindow(int fd) : m_fd(fd) {}

  /// Behind a head whose content is shorter than this the next head is worth reading `ahead`.
  static constexpr std::uint64_t kShort = std::uint64_t{1} << 14U;

  /// `count` bytes from `offset` on, valid until the next call; nullptr where the file ends
  /// before. `ahead`: what follows will be wanted too, so that much of it is read at once.
  Result<const std::byte*> at(std::uint64_t offset, std::size_t count, bool ahead);

 private:
  const int m_fd;
  Buffer m_bytes;
  std::uint64_t m_offset = 0;
  std::size_t m_held = 0;
};

}  // namespace millrace
