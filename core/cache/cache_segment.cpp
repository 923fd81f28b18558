// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cache/cache_segment.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "core/base/crc32c.h"
#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/growing_file.h"
#include "core/formats/io/open_file.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEntryBytes = 16;
constexpr std::string_view kIndexEnding = ".index";
constexpr std::size_t kDigits = 5;

using EntryBytes = std::array<std::byte, kEntryBytes>;

/// Sample, first unit, units, CRC-32C of these three: 32 bits each, little endian.
EntryBytes entryBytes(std::uint32_t sample, std::uint64_t offset, std::size_t bytes) {
  const std::array<std::uint32_t, 3> words = {sample,
                                              static_cast<std::uint32_t>(offset / kRecordUnit),
                                              static_cast<std::uint32_t>(bytes / kRecordUnit)};
  const std::uint32_t sum = crc32c(std::as_bytes(std::span(words)));
  EntryBytes entry{};
  std::memcpy(entry.data(), words.data(), sizeof words);
  std::memcpy(entry.data() + sizeof words, &sum, sizeof sum);
  return entry;
}

/// nullopt if the entry is incomplete, or its values are impossible.
std::optional<SegmentEntry> entryOf(const std::byte* line) {
  const auto words = littleEndian<std::array<std::uint32_t, 4>>(line);
  if (words[3] != crc32c({line, kEntryBytes - sizeof words[3]})) return std::nullopt;
  const SegmentEntry entry{words[0], std::uint64_t{words[1]} * kRecordUnit,
                           std::size_t{words[2]} * kRecordUnit};
  if (entry.offset >= kLargestSegment || entry.bytes == 0 || entry.bytes > kLargestRecord)
    return std::nullopt;
  return entry;
}

UniqueFd newFile(const fs::path& file, int how) {
  return UniqueFd(::open(file.c_str(), O_CREAT | O_CLOEXEC | how, 0666));
}

Error cannotKeep(const fs::path& where, int errorNumber) {
  return Error{fmt::format("{}: {}", validUtf8(where.native()), reasonOf(errorNumber))};
}

}  // namespace

fs::path recordsFile(const fs::path& cache, std::uint32_t segment) {
  return cache / fmt::format("{:05}.records", segment);
}

fs::path indexFile(const fs::path& cache, std::uint32_t segment) {
  return cache / fmt::format("{:05}{}", segment, kIndexEnding);
}

std::optional<std::uint32_t> indexedSegment(std::string_view fileName) {
  if (fileName.size() != kDigits + kIndexEnding.size() || !fileName.ends_with(kIndexEnding))
    return std::nullopt;
  std::uint32_t number = 0;
  const char* const end = fileName.data() + kDigits;
  const auto [stop, error] = std::from_chars(fileName.data(), end, number);
  if (error != std::errc() || stop != end || number == 0 || number > kMostSegments)
    return std::nullopt;
  return number;
}

std::vector<std::uint32_t> segmentsIn(const fs::path& cache) {
  std::vector<std::uint32_t> segments;
  std::error_code error;
  for (fs::directory_iterator it(cache, error), end; !error && it != end; it.increment(error))
    if (const auto segment = indexedSegment(it->path().filename().native()))
      segments.push_back(*segment);
  std::sort(segments.begin(), segments.end());
  return segments;
}

std::vector<SegmentEntry> SegmentIndex::newEntries(const fs::path& file) {
  std::vector<SegmentEntry> entries;
  const Result<OpenFile> index = openForReading(file);
  if (!index) return entries;
  std::array<std::byte, 4096 * kEntryBytes> lines;
  for (;;) {
    const Result<std::size_t> got = readAt(index->fd.get(), m_read, lines.data(), lines.size());
    const std::size_t count = got ? *got / kEntryBytes : 0;
    for (std::size_t i = 0; i < count; ++i)
      if (const auto entry = entryOf(lines.data() + i * kEntryBytes)) entries.push_back(*entry);
    m_read += count * kEntryBytes;
    if (count * kEntryBytes < lines.size()) return entries;
  }
}

Result<std::shared_ptr<SegmentWriter>> SegmentWriter::make(const fs::path& cache) {
  const std::vector<std::uint32_t> there = segmentsIn(cache);
  for (std::uint32_t segment = there.empty() ? 1 : there.back() + 1; segment <= kMostSegments;
       ++segment) {
    UniqueFd records = newFile(recordsFile(cache, segment), O_RDWR | O_EXCL);
    // Another process takes this number, or was killed before it listed anything.
    if (!records.valid() && errno == EEXIST) continue;
    if (!records.valid()) return cannotKeep(cache, errno);
    UniqueFd index = newFile(indexFile(cache, segment), O_WRONLY | O_TRUNC);
    if (!index.valid()) return cannotKeep(cache, errno);
    return std::shared_ptr<SegmentWriter>(
        new SegmentWriter(segment, std::move(records), std::move(index)));
  }
  return Error{fmt::format("{} has {} segments; remove that folder to start again",
                           validUtf8(cache.native()), kMostSegments)};
}

std::optional<std::uint64_t> SegmentWriter::reserve(std::size_t bytes) {
  const MutexLock lock(m_mutex);
  if (bytes > kLargestSegment - m_end) return std::nullopt;
  const std::uint64_t offset = m_end;
  m_end += bytes;
  return offset;
}

Status SegmentWriter::write(std::uint32_t sample, std::uint64_t offset,
                            std::span<const std::byte> record) {
  if (const int error = writeAt(m_records.get(), offset, record); error != 0)
    return Error{reasonOf(error)};
  const EntryBytes entry = entryBytes(sample, offset, record.size());
  const MutexLock lock(m_mutex);
  // After an incomplete entry the following ones would not be where readers expect them.
  if (m_torn) return Error{"its index could not be written"};
  if (const int error = writeAt(m_index.get(), m_indexEnd, entry); error != 0) {
    m_torn = true;
    return Error{reasonOf(error)};
  }
  m_indexEnd += kEntryBytes;
  return {};
}

}  // namespace millrace
