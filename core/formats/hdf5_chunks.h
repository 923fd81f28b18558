// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/formats/hdf5_filters.h"
#include "core/formats/range_reader.h"

namespace millrace {

/// Where a chunk of a dataset lies in the file.
struct Hdf5Chunk {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;    ///< there, filtered
  std::uint32_t skipped = 0;  ///< bit i: filter i was not applied
};

/// The chunks of a dataset. Axes are those of the dataset, the samples' first. Value.
struct Hdf5Chunks {
  std::vector<std::uint64_t> axes;    ///< elements of the dataset along each
  std::vector<std::uint64_t> sides;   ///< elements of a chunk along each
  std::vector<std::uint64_t> counts;  ///< chunks along each
  std::size_t elementBytes = 1;
  std::vector<Hdf5Filter> filters;  ///< in the order in which they were applied
  std::vector<Hdf5Chunk> list;      ///< the last axis runs fastest

  std::size_t bytes() const;     ///< of a chunk, unpacked
  std::size_t rowBytes() const;  ///< of a sample
  /// Chunks that the same samples lie in.
  std::size_t perBand() const;
};

/// Reads samples out of chunks by `pread` alone. It keeps the band that it read last: samples of
/// one that follow each other cost one unpacking. Its memory only grows. One thread.
class Hdf5ChunkReader {
 public:
  explicit Hdf5ChunkReader(ReadBy by = ReadBy::Cache) : m_packed(by) {}

  /// `file` of `fileBytes` bytes and `chunks` must outlive their use.
  void bind(int file, std::uint64_t fileBytes, const Hdf5Chunks& chunks);

  /// Sample `row` to `to`, which has rowBytes(). The error names the chunk by its offset.
  Status readTo(std::uint64_t row, std::span<std::byte> to, ReadCounters& counters);

  /// Memory that it keeps.
  std::size_t keptBytes() const {
    return m_band.capacity() + m_packed.keptBytes() + m_unpacker.keptBytes();
  }

 private:
  Status unpackBand(std::uint64_t band, ReadCounters& counters);
  Status checkPlace(const Hdf5Chunk& chunk) const;
  void copyPart(std::size_t axis, const std::byte* from, std::byte* to) const;

  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  int m_file = -1;
  std::uint64_t m_fileBytes = 0;
  const Hdf5Chunks* m_chunks = nullptr;
  std::vector<std::size_t> m_chunkStrides;  ///< bytes from one element to the next along an axis
  std::vector<std::size_t> m_rowStrides;
  std::vector<std::uint64_t> m_lengths;  ///< elements of the chunk at hand that the sample has
  std::uint64_t m_held = kNone;
  Buffer m_band;
  RangeReader m_packed;
  Hdf5Unpacker m_unpacker;
};

}  // namespace millrace
