// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace millrace {

/// Memory that only grows: asking again for no more than was ever asked allocates nothing.
/// 64-byte aligned, followed by at least 64 readable bytes so that vector loads may overrun.
/// One thread.
class Buffer {
 public:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kPadding = 64;

  /// At least `bytes` bytes; what was there is lost when the buffer has to grow.
  std::byte* reserve(std::size_t bytes);
  /// Like reserve, keeping the first `kept` bytes.
  std::byte* grow(std::size_t bytes, std::size_t kept);

  std::byte* data() { return m_data.get(); }
  const std::byte* data() const { return m_data.get(); }
  std::size_t capacity() const { return m_capacity; }

 private:
  struct Free {
    void operator()(std::byte* data) const;
  };
  std::unique_ptr<std::byte[], Free> m_data;
  std::size_t m_capacity = 0;
};

}  // namespace millrace
