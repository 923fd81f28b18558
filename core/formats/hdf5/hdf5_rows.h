// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/formats/hdf5/hdf5_chunks.h"
#include "core/formats/hdf5/hdf5_file.h"
#include "core/formats/hdf5/hdf5_heap.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

/// Reads rows of a dataset, or of the same dataset in several files, as its access allows. One
/// thread.
class Hdf5RowReader {
 public:
  /// With `runs`, the references, a few bytes each, are read through the page cache regardless of
  /// `by`; so is everything that the library reads.
  explicit Hdf5RowReader(ReadBy by = ReadBy::Cache, bool runs = false)
      : m_ranges(runs ? ReadBy::Cache : by), m_chunks(runs ? ReadBy::Cache : by), m_heap(by) {}

  /// The row as stored, rowBytes() long. File and dataset must outlive their use.
  Status read(const Hdf5File& file, const Hdf5Dataset& set, std::uint64_t row,
              std::span<std::byte> to, ReadCounters& counters);
  /// The bytes of a variable-length row; valid until the next read.
  Result<std::span<std::byte>> readRun(const Hdf5File& file, const Hdf5Dataset& set,
                                       std::uint64_t row, ReadCounters& counters,
                                       Sample::Room room = {});
  /// The row's reference; not for rows that the library reads.
  Result<Hdf5Run> placeOf(const Hdf5File& file, const Hdf5Dataset& set, std::uint64_t row,
                          ReadCounters& counters);
  /// The bytes of row `row`, given the references of all rows; otherwise like the other readRun.
  Result<std::span<std::byte>> readRun(const Hdf5File& file, std::span<const Hdf5Run> table,
                                       std::uint64_t row, ReadCounters& counters,
                                       Sample::Room room = {}) {
    return m_heap.readAt(expectedPlace(table, row), file.fd(), file.bytes(), table[row], counters,
                         room);
  }

  /// Size of its buffers, without the run that it lends.
  std::size_t keptBytes() const { return m_ranges.keptBytes() + m_chunks.keptBytes(); }

 private:
  RangeReader m_ranges;
  Hdf5ChunkReader m_chunks;
  Hdf5HeapReader m_heap;
  Buffer m_run;
};

}  // namespace millrace
