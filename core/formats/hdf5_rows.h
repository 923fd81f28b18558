// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/formats/hdf5_chunks.h"
#include "core/formats/hdf5_file.h"
#include "core/formats/hdf5_heap.h"
#include "core/formats/range_reader.h"

namespace millrace {

/// Reads rows of one dataset, or of the same one of several files, as its access says. One thread.
class Hdf5RowReader {
 public:
  /// Where `runs` are read, their places, a few bytes each, come through the page cache whatever
  /// `by` says. What the library reads comes through it as well.
  explicit Hdf5RowReader(ReadBy by = ReadBy::Cache, bool runs = false)
      : m_ranges(runs ? ReadBy::Cache : by), m_chunks(runs ? ReadBy::Cache : by), m_heap(by) {}

  /// The row as its dataset has it, rowBytes() long. File and dataset must outlive their use.
  Status read(const Hdf5File& file, const Hdf5Dataset& set, std::uint64_t row,
              std::span<std::byte> to, ReadCounters& counters);
  /// The bytes of a row of any length; valid until the next one.
  Result<std::span<std::byte>> readRun(const Hdf5File& file, const Hdf5Dataset& set,
                                       std::uint64_t row, ReadCounters& counters,
                                       Sample::Room room = {});
  /// Where it lies; not of what the library reads.
  Result<Hdf5Run> placeOf(const Hdf5File& file, const Hdf5Dataset& set, std::uint64_t row,
                          ReadCounters& counters);
  /// The bytes of row `row` of a table of all rows' places, as of the second.
  Result<std::span<std::byte>> readRun(const Hdf5File& file, std::span<const Hdf5Run> table,
                                       std::uint64_t row, ReadCounters& counters,
                                       Sample::Room room = {}) {
    return m_heap.readAt(expectedPlace(table, row), file.fd(), file.bytes(), table[row], counters,
                         room);
  }

  /// Memory that it keeps, beside the run that it lends.
  std::size_t keptBytes() const { return m_ranges.keptBytes() + m_chunks.keptBytes(); }

 private:
  RangeReader m_ranges;
  Hdf5ChunkReader m_chunks;
  Hdf5HeapReader m_heap;
  Buffer m_run;
};

}  // namespace millrace
