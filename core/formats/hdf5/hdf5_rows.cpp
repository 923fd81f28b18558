// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/hdf5/hdf5_rows.h"

#include <array>
#include <cstring>

namespace millrace {

namespace {

using Access = Hdf5Dataset::Access;

/// Shorter rows are served from larger reads.
constexpr std::size_t kShortHdf5Row = 16384;

/// Counts a read by the library.
void countHdf5Read(ReadCounters& counters, std::size_t bytes) {
  ReadCounters::add(counters.reads, 1);
  ReadCounters::add(counters.bytes, bytes);
}

}  // namespace

Status Hdf5RowReader::read(const Hdf5File& file, const Hdf5Dataset& set, std::uint64_t row,
                           std::span<std::byte> to, ReadCounters& counters) {
  if (set.access == Access::Chunks) {
    m_chunks.bind(file.fd(), file.bytes(), set.chunks);
    return m_chunks.readTo(row, to, counters);
  }
  if (set.access == Access::Library) {
    countHdf5Read(counters, to.size());
    return file.readRow(set, row, to);
  }
  const std::uint64_t at = set.offset + row * to.size();
  if (to.size() >= kShortHdf5Row) return m_ranges.readTo(file.fd(), at, to, counters);
  MILLRACE_ASSIGN_OR_RETURN(const auto bytes, m_ranges.read(file.fd(), at, to.size(), counters));
  std::memcpy(to.data(), bytes.data(), to.size());
  return {};
}

Result<std::span<std::byte>> Hdf5RowReader::readRun(const Hdf5File& file, const Hdf5Dataset& set,
                                                    std::uint64_t row, ReadCounters& counters,
                                                    Sample::Room room) {
  if (set.access == Access::Library) {
    MILLRACE_ASSIGN_OR_RETURN(const auto bytes, file.readRun(set, row, m_run));
    countHdf5Read(counters, bytes);
    return std::span(m_run.data(), bytes);
  }
  MILLRACE_ASSIGN_OR_RETURN(const auto run, placeOf(file, set, row, counters));
  return m_heap.read(file.fd(), file.bytes(), run, counters, room);
}

Result<Hdf5Run> Hdf5RowReader::placeOf(const Hdf5File& file, const Hdf5Dataset& set,
                                       std::uint64_t row, ReadCounters& counters) {
  std::array<std::byte, Hdf5Run::kStored> stored{};
  MILLRACE_TRY(read(file, set, row, stored, counters));
  return Hdf5Run::of(stored.data());
}

}  // namespace millrace
