// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

/// The reference to a variable-length run, which a dataset stores in place of its bytes.
struct Hdf5Run {
  static constexpr std::size_t kStored = 16;  ///< size of a stored reference, with 64-bit offsets

  std::uint64_t collection = 0;  ///< offset of the heap collection that contains it
  std::uint32_t number = 0;      ///< object number within the collection
  std::uint32_t bytes = 0;

  /// Parses kStored bytes.
  static Hdf5Run of(const std::byte* stored);
};

/// The expected offset of run `row` of a table within its collection, assuming that the runs before
/// it are those before it in the table, as when a single table was written; 0 if unknown.
std::uint64_t expectedPlace(std::span<const Hdf5Run> table, std::size_t row);

/// Reads runs from a file's global heap with `pread` (HDF5 File Format Specification, III.E). One
/// thread.
class Hdf5HeapReader {
 public:
  explicit Hdf5HeapReader(ReadBy by = ReadBy::Cache) : m_ranges(by) {}

  /// Valid until the next read. The error gives the heap's offset.
  Result<std::span<std::byte>> read(int file, std::uint64_t fileBytes, const Hdf5Run& run,
                                    ReadCounters& counters, Sample::Room room = {});
  /// The same for a run expected at `place` of its collection: if it is there, only the run and its
  /// header are read.
  Result<std::span<std::byte>> readAt(std::uint64_t place, int file, std::uint64_t fileBytes,
                                      const Hdf5Run& run, ReadCounters& counters,
                                      Sample::Room room = {});

 private:
  RangeReader m_ranges;
};

}  // namespace millrace
