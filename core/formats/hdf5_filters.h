// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/base/result.h"
#include "core/data/buffer.h"

struct inflate_state;

namespace millrace {

/// A filter of an HDF5 dataset that is undone here (HDF5 File Format Specification, message 11; LZF
/// is number 32000 of the HDF Group's registered filters, which h5py brings).
struct Hdf5Filter {
  enum class Kind : std::uint8_t {
    Deflate,     ///< a zlib stream
    Shuffle,     ///< first bytes of all elements, then all second ones, ...
    Fletcher32,  ///< a check sum behind the data
    Lzf,         ///< a stream as unpackLzf reads it
  };
  Kind kind = Kind::Deflate;
  std::uint32_t width = 1;  ///< bytes of an element, of Shuffle
};

/// Undoes the filters of chunks, without the library and its lock. Its memory only grows. One
/// thread.
class Hdf5Unpacker {
 public:
  Hdf5Unpacker();
  ~Hdf5Unpacker();
  Hdf5Unpacker(Hdf5Unpacker&&) noexcept;

  /// `filters` in the order in which they were applied; bit i of `skipped` leaves number i out.
  /// The error says what is damaged: a stream, a check sum, a length other than that of `to`.
  Status unpack(std::span<const Hdf5Filter> filters, std::uint32_t skipped,
                std::span<const std::byte> packed, std::span<std::byte> to);

  /// Memory that it keeps.
  std::size_t keptBytes() const { return m_memory[0].capacity() + m_memory[1].capacity(); }

 private:
  /// Of a filter other than a check sum; gives how many bytes of `to` it made.
  Result<std::size_t> undo(const Hdf5Filter& filter, std::span<const std::byte> packed,
                           std::span<std::byte> to);
  Result<std::size_t> inflate(std::span<const std::byte> packed, std::span<std::byte> to);

  std::unique_ptr<inflate_state> m_state;
  Buffer m_memory[2];
};

/// Fletcher's sum of 16-bit big-endian words, as the format has it.
std::uint32_t hdf5Fletcher32(std::span<const std::byte> bytes);

}  // namespace millrace
