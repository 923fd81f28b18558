// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/mutex.h"
#include "core/base/result.h"
#include "core/cache/cache_place.h"
#include "core/formats/io/unique_fd.h"

namespace millrace {

// A segment is what one process adds to a cache. NNNNN.records has consecutive records, up to
// 16 GiB, with gaps where reserved room was never written. NNNNN.index has an entry for each
// complete record: the sample's index, first unit, number of units, and the CRC-32C of these three,
// 4 bytes each.

std::filesystem::path recordsFile(const std::filesystem::path& cache, std::uint32_t segment);
std::filesystem::path indexFile(const std::filesystem::path& cache, std::uint32_t segment);

/// The number of the segment whose index has this file name.
std::optional<std::uint32_t> indexedSegment(std::string_view fileName);
/// The segments that have an index, in increasing order.
std::vector<std::uint32_t> segmentsIn(const std::filesystem::path& cache);

/// An entry of an index.
struct SegmentEntry {
  std::uint32_t sample = 0;
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
};

/// Reads the index of a segment while its writer may be adding to it. For use by one thread at a
/// time.
class SegmentIndex {
 public:
  /// The entries after those that earlier calls returned. Incomplete and damaged entries are left
  /// out.
  std::vector<SegmentEntry> newEntries(const std::filesystem::path& file);

 private:
  std::uint64_t m_read = 0;
};

/// Adds records to a new segment. Any thread; records are written concurrently, only their places
/// are assigned one at a time.
class SegmentWriter {
 public:
  /// Creates a segment with a higher number than all existing ones.
  static Result<std::shared_ptr<SegmentWriter>> make(const std::filesystem::path& cache);

  std::uint32_t segment() const { return m_segment; }
  /// The descriptor of the records, also for reading; valid as long as this object.
  int fd() const { return m_records.get(); }
  /// The place for `bytes` bytes, a multiple of kRecordUnit; nullopt if the segment is full.
  std::optional<std::uint64_t> reserve(std::size_t bytes);
  /// Writes the record to the place reserved for it, then lists it: readers see all of it or
  /// nothing. After an error nothing more is listed.
  Status write(std::uint32_t sample, std::uint64_t offset, std::span<const std::byte> record);

 private:
  SegmentWriter(std::uint32_t segment, UniqueFd records, UniqueFd index)
      : m_segment(segment), m_records(std::move(records)), m_index(std::move(index)) {}

  const std::uint32_t m_segment;
  const UniqueFd m_records;
  const UniqueFd m_index;
  Mutex m_mutex;
  std::uint64_t m_end MILLRACE_GUARDED_BY(m_mutex) = 0;
  std::uint64_t m_indexEnd MILLRACE_GUARDED_BY(m_mutex) = 0;
  bool m_torn MILLRACE_GUARDED_BY(m_mutex) = false;
};

}  // namespace millrace
