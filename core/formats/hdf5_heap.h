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

  std::uint32_t bytes = 0;
  std::uint64_t collection = 0;  ///< offset of the heap that holds it
  std::uint32_t number = 0;      ///< in there

  /// Of kStored bytes.
  static Hdf5Run of(const std::byte* stored);
};

/// Reads runs out of a file's global heap by `pread` alone (HDF5 File Format Specification, III.E).
/// One thread.
class Hdf5HeapReader {
 public:
  explicit Hdf5HeapReader(ReadBy by = ReadBy::Cache) : m_ranges(by) {}

  /// Valid until the next read. The error names the heap by its offset.
  Result<std::span<std::byte>> read(int file, std::uint64_t fileBytes, const Hdf5Run& run,
                                    ReadCounters& counters, Sample::Room room = {});

 private:
  RangeReader m_ranges;
};

}  // namespace millrace
