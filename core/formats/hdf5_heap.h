// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/formats/range_reader.h"

namespace millrace {

/// Where a run of bytes of any length lies, as a dataset of such has it in place of the bytes.
struct Hdf5Run {
  static constexpr std::size_t kStored = 16;  ///< bytes in the file, where offsets have 64 bits

  std::uint64_t collection = 0;  ///< offset of the heap that holds it
  std::uint32_t number = 0;      ///< in there
  std::uint32_t bytes = 0;

  /// Of kStored bytes.
  static Hdf5Run of(const std::byte* stored);
};

/// Where in its collection run `row` of a table begins if those before it there are those before it
/// in the table, as a writer of one table leaves them; 0: that cannot be told.
std::uint64_t expectedPlace(std::span<const Hdf5Run> table, std::size_t row);

/// Reads runs out of a file's global heap by `pread` alone (HDF5 File Format Specification, III.E).
/// One thread.
class Hdf5HeapReader {
 public:
  explicit Hdf5HeapReader(ReadBy by = ReadBy::Cache) : m_ranges(by) {}

  /// Valid until the next read. The error names the heap by its offset.
  Result<std::span<std::byte>> read(int file, std::uint64_t fileBytes, const Hdf5Run& run,
                                    ReadCounters& counters, Sample::Room room = {});
  /// The same of a run that is expected at `place` of its collection: if it lies there, no more is
  /// read than it and its head.
  Result<std::span<std::byte>> readAt(std::uint64_t place, int file, std::uint64_t fileBytes,
                                      const Hdf5Run& run, ReadCounters& counters,
                                      Sample::Room room = {});

 private:
  RangeReader m_ranges;
};

}  // namespace millrace
