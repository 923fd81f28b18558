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
#include "core/formats/unique_fd.h"

namespace millrace {

// A segment is what one process adds to a cache: NNNNN.records, records one behind another, and
// NNNNN.index, which lists those that are whole, 16 bytes each (README: "A segment").

std::filesystem::path recordsFile(const std::filesystem::path& cache, std::uint32_t segment);
std::filesystem::path indexFile(const std::filesystem::path& cache, std::uint32_t segment);

/// The segment that a file of this name is the index of.
std::optional<std::uint32_t> indexedSegment(std::string_view fileName);
/// Those that have an index, rising.
std::vector<std::uint32_t> segmentsIn(const std::filesystem::path& cache);

/// A line of an index.
struct SegmentEntry {
  std::uint32_t sample = 0;
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
};

/// Reads on in the index of a segment that its writer may be adding to. One thread at a time.
class SegmentIndex {
 public:
  /// The entries behind those that earlier calls gave. A torn or damaged one is left out.
  std::vector<SegmentEntry> news(const std::filesystem::path& file);

 private:
  std::uint64_t m_read = 0;
};

/// Adds records to a segment of its own. Any thread; records are written at the same time, only
/// their places are handed out one after another.
class SegmentWriter {
 public:
  /// A new segment with a higher number than all that are there.
  static Result<std::shared_ptr<SegmentWriter>> make(const std::filesystem::path& cache);

  std::uint32_t segment() const { return m_segment; }
  /// Of the records, also for reading; lives as long as this.
  int fd() const { return m_records.get(); }
  /// Where `bytes` bytes go, a multiple of kRecordUnit; nothing when the segment has no room left.
  std::optional<std::uint64_t> reserve(std::size_t bytes);
  /// Writes the record to the place that was reserved for it, then lists it: readers see all of it
  /// or nothing. After an error nothing more is listed.
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
