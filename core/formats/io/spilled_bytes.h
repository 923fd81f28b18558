// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/formats/io/unique_fd.h"

namespace millrace {

/// Bytes that are kept in memory while they are few, and otherwise in an unnamed temporary file
/// (temporaryFile). If that file cannot be created or is full, they stay in memory. Any number of
/// threads may read while none writes.
class SpilledBytes {
 public:
  static constexpr std::size_t kInMemory = std::size_t{1} << 20U;

  /// `inMemory`: the most bytes that are kept in memory.
  explicit SpilledBytes(std::size_t inMemory = kInMemory) : m_inMemory(inMemory) {}

  std::uint64_t size() const { return m_written + m_waiting.size(); }
  void append(std::span<const std::byte> bytes);
  /// Appends zeros.
  void grow(std::uint64_t size);
  /// Replaces bytes that exist.
  void write(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Reads bytes that exist. If the disk fails they are zeros, and isSound() is false from then on.
  void read(std::uint64_t offset, std::span<std::byte> bytes) const;
  /// All bytes while none is in the file, valid until the next change; otherwise empty.
  std::span<const std::byte> inMemory() const {
    return m_fd.valid() ? std::span<const std::byte>() : std::span(m_waiting);
  }
  std::size_t bytesInMemory() const { return m_waiting.capacity(); }
  bool isSound() const { return !std::atomic_ref<bool>(m_failed).load(); }

 private:
  bool spill();
  void flush();
  void keepInMemory();

  std::size_t m_inMemory;
  UniqueFd m_fd;                     ///< invalid: all bytes are in m_waiting
  std::uint64_t m_written = 0;       ///< bytes in the file
  std::vector<std::byte> m_waiting;  ///< the bytes after those
  bool m_staysInMemory = false;
  mutable bool m_failed = false;
};

}  // namespace millrace
