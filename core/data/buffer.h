// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace millrace {

/// An alternative to the heap for a Buffer's memory. Thread-safe.
class BufferSource {
 public:
  virtual ~BufferSource() = default;
  /// `bytes` bytes aligned to Buffer::kAlignment, or nullptr if no memory is left.
  virtual std::byte* take(std::size_t bytes) = 0;
  virtual void give(std::byte* data) = 0;
};

/// Memory that only grows: a request that is no larger than an earlier one does not allocate.
/// Aligned to 64 bytes and followed by at least 64 readable bytes, so that vector loads may
/// overrun. For use by one thread.
class Buffer {
 public:
  static constexpr std::size_t kAlignment = 64;
  static constexpr std::size_t kPadding = 64;

  Buffer() = default;
  /// Takes memory from `source` while it has any, then from the heap.
  explicit Buffer(std::shared_ptr<BufferSource> source) : m_source(std::move(source)) {}

  /// Returns at least `bytes` bytes; the content is lost if the buffer has to grow.
  std::byte* reserve(std::size_t bytes);
  /// Like reserve(), but keeps the first `kept` bytes.
  std::byte* grow(std::size_t bytes, std::size_t kept);

  std::byte* data() { return m_data.get(); }
  const std::byte* data() const { return m_data.get(); }
  std::size_t capacity() const { return m_capacity; }
  /// Whether the current memory comes from the source.
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
