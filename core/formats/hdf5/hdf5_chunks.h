// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/formats/hdf5/hdf5_filters.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

/// The place of a dataset's chunk in the file.
struct Hdf5Chunk {
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;    ///< stored size, with filters applied
  std::uint32_t skipped = 0;  ///< bit i: filter i was not applied to this chunk
};

/// The chunks of a dataset. Axes are those of the dataset, the sample axis first. Value.
struct Hdf5Chunks {
  std::vector<std::uint64_t> axes;    ///< size of the dataset along each axis
  std::vector<std::uint64_t> sides;   ///< size of a chunk along each axis
  std::vector<std::uint64_t> counts;  ///< number of chunks along each axis
  std::size_t elementBytes = 1;
  std::vector<Hdf5Filter> filters;  ///< in the order of application
  std::vector<Hdf5Chunk> list;      ///< in row-major order

  std::size_t bytes() const;     ///< size of a decoded chunk
  std::size_t rowBytes() const;  ///< size of a sample
  /// Number of chunks that contain parts of the same samples (a band).
  std::size_t perBand() const;
};

/// Reads samples from chunks with `pread`. Keeps the last decoded band, so consecutive samples of
/// one band cost one decoding. Its buffers only grow. One thread.
class Hdf5ChunkReader {
 public:
  explicit Hdf5ChunkReader(ReadBy by = ReadBy::Cache) : m_packed(by) {}

  /// `chunks` and the descriptor `file`, of a file of `fileBytes` bytes, must outlive their use.
  void bind(int file, std::uint64_t fileBytes, const Hdf5Chunks& chunks);

  /// Reads sample `row` into `to`, of rowBytes() bytes. The error gives the chunk's offset.
  Status readTo(std::uint64_t row, std::span<std::byte> to, ReadCounters& counters);

  /// Size of its buffers.
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
  std::vector<std::size_t> m_chunkStrides;  ///< bytes between elements along each axis
  std::vector<std::size_t> m_rowStrides;
  /// Elements of the current chunk that belong to the sample.
  std::vector<std::uint64_t> m_lengths;
  std::uint64_t m_held = kNone;
  Buffer m_band;
  RangeReader m_packed;
  Hdf5Unpacker m_unpacker;
};

}  // namespace millrace
