// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace millrace::ptx {

/// The memory of the device. Its addresses are in an inaccessible part of the process's address
/// space, so that host code that dereferences a device pointer faults as with a GPU; the content is
/// stored elsewhere. An address is never reused, and there are at least 256 bytes between two
/// blocks, so that accesses past the end of a block or to a freed block are detected. Allocation is
/// thread-safe; content is ordered by streams.
class DeviceMemory {
 public:
  static DeviceMemory& instance();

  /// What is known of a byte.
  enum State : std::uint8_t { Nothing = 0, Freed = 1, Unwritten = 2, Written = 3 };

  /// 0 if not enough memory is left.
  std::uint64_t allocate(std::size_t bytes);
  /// Returns whether `address` is the beginning of a live block.
  bool free(std::uint64_t address);
  /// Marks this many bytes of the live block at `address` as in use and unwritten.
  void lend(std::uint64_t address, std::size_t bytes);
  /// Marks the block as not in use until it is lent again.
  void takeBack(std::uint64_t address);
  std::size_t totalBytes() const { return m_total; }
  std::size_t freeBytes() const;

  bool isDevice(std::uint64_t address) const { return address - m_base < kSize; }
  /// Whether all of these bytes are in the used part of one live block.
  bool isLive(std::uint64_t address, std::size_t bytes) const;
  /// Describes an address for a message.
  std::string describe(std::uint64_t address) const;

  std::uint64_t base() const { return m_base; }
  std::byte* data(std::uint64_t address) const { return m_data + (address - m_base); }
  std::uint8_t* states(std::uint64_t address) const { return m_states + (address - m_base); }
  /// One number per byte (race.h): its last writer and last reader.
  std::uint32_t* writers() const { return m_writers; }
  std::uint32_t* readers() const { return m_readers; }
  void forgetWritersAndReaders();

  static constexpr std::uint64_t kSize = std::uint64_t{1} << 34U;

 private:
  DeviceMemory();
  struct Block {
    std::size_t bytes = 0;
    std::size_t lent = 0;
    bool live = true;
  };
  /// The block that begins at or before `address`.
  const std::pair<const std::uint64_t, Block>* blockBefore(std::uint64_t address) const;

  const std::size_t m_total;
  std::uint64_t m_base = 0;
  std::byte* m_data = nullptr;
  std::uint8_t* m_states = nullptr;
  std::uint32_t* m_writers = nullptr;
  std::uint32_t* m_readers = nullptr;
  mutable std::mutex m_mutex;
  std::map<std::uint64_t, Block> m_blocks;
  std::size_t m_taken = 0;
  std::uint64_t m_next = 0;
};

}  // namespace millrace::ptx
