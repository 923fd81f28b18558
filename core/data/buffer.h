// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace millrace {

/// Where a Buffer may take its memory instead of the heap. Thread-safe.
class BufferSource {
 public:
  virtual ~BufferSource() = default;
  /// `bytes` bytes aligned to Buffer::kAlignment; nullptr where none are left.
  virtual std::byte* take(std::size_t bytes) = 0;
  virtual void give(std::byte* data) = 0;
};

/// Memory that only grows: asking again for no more than was ever asked allocates nothing.
/// 64-byte aligned, followed by at least 64 readable bytes so that vector loads may overrun.
/// One thread.
class Buffer {
 public:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kPadding = 64;

  Buffer() = default;
  /// Of `source` as long as that has memory, of the heap then.
  explicit Buffer(std::shared_ptr<BufferSource> source) : m_source(std::move(source)) {}

  /// At least `bytes` bytes; what was there is lost when the buffer has to grow.
  std::byte* reserve(std::size_t bytes);
  /// Like reserve, keeping the first `kept` bytes.
  std::byte* grow(std::size_t bytes, std::size_t kept);

  std::byte* data() { return m_data.get(); }
  const std::byte* data() const { return m_data.get(); }
  std::size_t capacity() const { return m_capacity; }
  /// Whether what it has now is of the source.
  bool fromSource() const { return m_data && m_data.get_deleter().source != nullptr; }

 private:
  struct Free {
    std::shared_ptr<BufferSource> source;  ///< nullptr: the heap
    void operator()(std::byte* data) const;
  };
  std::unique_ptr<std::byte[], Free> allocate(std::size_t bytes) const;

  std::shared_ptr<BufferSource> m_source;
  std::unique_ptr<std::byte[], Free> m_data;
  std::size_t m_capacity = 0;
};

}  // namespace millrace
