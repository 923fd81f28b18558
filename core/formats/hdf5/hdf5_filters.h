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

/// A filter of an HDF5 dataset that is decoded here (HDF5 File Format Specification, message 11;
/// LZF is number 32000 of the HDF Group's registered filters and comes with h5py).
struct Hdf5Filter {
  enum class Kind : std::uint8_t {
    Deflate,     ///< a zlib stream
    Shuffle,     ///< the first bytes of all elements, then their second bytes, ...
    Fletcher32,  ///< a checksum after the data
    Lzf,         ///< an LZF stream (unpackLzf)
  };
  Kind kind = Kind::Deflate;
  std::uint32_t width = 1;  ///< for Shuffle: bytes of an element
};

/// Decodes the filters of chunks without the library and its lock. Its buffers only grow. One
/// thread.
class Hdf5Unpacker {
 public:
  Hdf5Unpacker();
  ~Hdf5Unpacker();
  Hdf5Unpacker(Hdf5Unpacker&&) noexcept;

  /// `filters` in the order of application; bit i of `skipped` omits filter i. The error says what
  /// is damaged: a stream, a checksum, or a length that differs from that of `to`.
  Status unpack(std::span<const Hdf5Filter> filters, std::uint32_t skipped,
                std::span<const std::byte> packed, std::span<std::byte> to);

  /// Size of its buffers.
  std::size_t keptBytes() const { return m_memory[0].capacity() + m_memory[1].capacity(); }

 private:
  /// Undoes a filter other than a checksum; returns the number of bytes written to `to`.
  Result<std::size_t> undo(const Hdf5Filter& filter, std::span<const std::byte> packed,
                           std::span<std::byte> to);
  Result<std::size_t> inflate(std::span<const std::byte> packed, std::span<std::byte> to);

  std::unique_ptr<inflate_state> m_state;
  Buffer m_memory[2];
};

/// Fletcher's checksum of 16-bit big-endian words, as in the format.
std::uint32_t hdf5Fletcher32(std::span<const std::byte> bytes);

}  // namespace millrace
