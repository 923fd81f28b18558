// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/recordio/record_io.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/open_file.h"

namespace millrace {

namespace {

/// The search for the next record after damage ends after this many bytes.
constexpr std::uint64_t kFurthestHead = std::uint64_t{1} << 30U;
/// Where an .idx file leaves a larger gap, the record's header is read for its length.
constexpr std::uint64_t kLargeGap = std::uint64_t{1} << 24U;

enum PartKind : std::uint32_t { kWhole = 0, kFirst = 1, kMiddle = 2, kLast = 3 };

struct Part {
  std::uint32_t kind = 0;
  std::uint64_t length = 0;
  std::uint64_t padded() const { return kRecordIoHead + (length + 3) / 4 * 4; }
};

std::optional<Part> partAt(const std::byte* head) {
  if (littleEndian<std::uint32_t>(head) != kRecordIoMagic) return std::nullopt;
  const auto word = littleEndian<std::uint32_t>(head + 4);
  const Part part{word >> 29U, word & ((1U << 29U) - 1)};
  if (part.kind > kLast) return std::nullopt;
  return part;
}

bool begins(const Part& part) { return part.kind == kWhole || part.kind == kFirst; }

bool takeNumber(std::string_view& line, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  line.remove_prefix(static_cast<std::size_t>(end - line.data()));
  return error == std::errc();
}

/// A record extends at most to the next listed one.
void findEnds(RecordIoIndex& index, std::uint64_t size) {
  std::vector<std::uint64_t> offsets;
  for (const auto& place : index.places) offsets.push_back(place.offset);
  std::sort(offsets.begin(), offsets.end());
  offsets.push_back(size);
  for (auto& place : index.places)
    place.bytes = *std::upper_bound(offsets.begin(), offsets.end(), place.offset) - place.offset;
}

}  // namespace

bool isRecordIoName(std::string_view name) { return name.ends_with(".rec"); }

Result<RecordIoIndex> readRecordIoIdx(const std::filesystem::path& path, std::uint64_t size) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31U;
  MILLRACE_ASSIGN_OR_RETURN(const auto file, openForReading(path));
  if (file.size > kMost) return Error{"it is too large for an index"};
  std::string text(file.size, '\0');
  MILLRACE_ASSIGN_OR_RETURN(const auto got, readAt(file.fd.get(), 0, text.data(), text.size()));
  std::string_view rest(text.data(), got);
  RecordIoIndex index;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    std::string_view words = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), words.size() + 1));
    if (trimmed(words).empty()) continue;
    std::uint64_t key = 0;
    std::uint64_t offset = 0;
    const bool keyed = takeNumber(words, key) && !words.empty() && words.front() == '\t';
    if (keyed) words.remove_prefix(1);
    if (!keyed || !takeNumber(words, offset) || !trimmed(words).empty())
      return Error{fmt::format("line {} is not `key offset`", line)};
    if (offset % 4 != 0 || size < kRecordIoHead || offset > size - kRecordIoHead)
      return Error{fmt::format("line {}: no record can start at byte {} of {}", line,
                               grouped(offset), grouped(size))};
    index.places.push_back({offset, 0});
    index.keys.push_back(key);
  }
  findEnds(index, size);
  return index;
}

void RecordIoScan::note(std::string sentence) {
  if (m_damage.size() < kMostDamageNotes) m_damage.push_back(std::move(sentence));
}

Status RecordIoScan::advance(std::size_t most, RecordIoIndex& index) {
  for (std::size_t found = 0; found < most && m_at < m_size;) {
    MILLRACE_ASSIGN_OR_RETURN(const auto end, endOfRecord());
    if (end == 0) {
      MILLRACE_TRY(findNextHead());
      continue;
    }
    if (end > m_size) {
      note(fmt::format("ends within the record at byte {}", grouped(m_at)));
      m_at = m_size;
      return {};
    }
    index.places.push_back({m_at, end - m_at});
    m_shortRecords = end - m_at < FileWindow::kShort;
    m_at = end;
    ++found;
  }
  return {};
}

/// The end of the current record, possibly after the end of the file; 0 if no record starts here,
/// or its parts are out of order.
Result<std::uint64_t> RecordIoScan::endOfRecord() {
  std::uint64_t at = m_at;
  for (bool first = true;; first = false) {
    if (at > m_size - std::min<std::uint64_t>(m_size, kRecordIoHead))
      return first ? std::uint64_t{0} : m_size + 1;
    MILLRACE_ASSIGN_OR_RETURN(const auto head, m_window.at(at, kRecordIoHead, m_shortRecords));
    const auto part = head == nullptr ? std::nullopt : partAt(head);
    if (!part || begins(*part) != first) return std::uint64_t{0};
    // The padding of the last record may be missing.
    const bool complete = at + kRecordIoHead + part->length <= m_size;
    at += part->padded();
    if (at > m_size && !complete) return at;
    at = std::min(at, m_size);
    if (part->kind == kWhole || part->kind == kLast) return at;
  }
}

/// Headers are at multiples of 4, where the magic number does not occur otherwise.
Status RecordIoScan::findNextHead() {
  const std::uint64_t from = m_at;
  const std::uint64_t end = std::min(m_size, from + kFurthestHead);
  for (std::uint64_t at = from / 4 * 4 + 4; at + kRecordIoHead <= end; at += 4) {
    MILLRACE_ASSIGN_OR_RETURN(const auto head, m_window.at(at, kRecordIoHead, true));
    const auto part = head == nullptr ? std::nullopt : partAt(head);
    if (!part || !begins(*part)) continue;
    note(fmt::format("no record header at byte {}: {} bytes left out, up to the next one",
                     grouped(from), grouped(at - from)));
    m_at = at;
    return {};
  }
  note(
      fmt::format("no record header at byte {} or after it: the rest, {} bytes, is left "
                  "out",
                  grouped(from), grouped(m_size - from)));
  m_at = m_size;
  return {};
}

Result<std::span<const std::byte>> joinRecordIo(std::span<const std::byte> bytes,
                                                std::vector<std::byte>& joined) {
  joined.clear();
  std::size_t at = 0;
  for (bool first = true;; first = false) {
    const auto part = bytes.size() - at < kRecordIoHead ? std::nullopt : partAt(bytes.data() + at);
    if (!part || begins(*part) != first)
      return Error{fmt::format("there is no part of a record {} bytes after its start", at)};
    if (part->length > bytes.size() - at - kRecordIoHead)
      return Error{fmt::format("a part of {} bytes does not fit", grouped(part->length))};
    const auto content = bytes.subspan(at + kRecordIoHead, part->length);
    if (part->kind == kWhole) return content;
    const auto magic = std::as_bytes(std::span(&kRecordIoMagic, 1));
    if (!first) joined.insert(joined.end(), magic.begin(), magic.end());
    joined.insert(joined.end(), content.begin(), content.end());
    if (part->kind == kLast) return std::span<const std::byte>(joined);
    at += std::min<std::size_t>(part->padded(), bytes.size() - at);
  }
}

Result<std::span<const std::byte>> RecordIoReader::read(int fd, const RecordIoIndex::Place& place,
                                                        ReadCounters& counters, Sample::Room room) {
  std::uint64_t bytes = place.bytes;
  if (bytes > kLargeGap) {
    MILLRACE_ASSIGN_OR_RETURN(const auto head,
                              m_range.read(fd, place.offset, kRecordIoHead, counters));
    const auto part = partAt(head.data());
    if (part && part->kind == kWhole) bytes = std::min(bytes, part->padded());
  }
  MILLRACE_ASSIGN_OR_RETURN(const auto all, m_range.read(fd, place.offset, bytes, counters, room));
  auto record = joinRecordIo(all, m_joined);
  if (record) return record;
  return Error{fmt::format("the record at byte {} is damaged, or the file has changed: {}",
                           grouped(place.offset), record.error().message)};
}

float RecordIoImage::label(std::size_t i) const {
  return littleEndian<float>(labels.data() + i * sizeof(float));
}

Result<RecordIoImage> parseRecordIoImage(std::span<const std::byte> record) {
  constexpr std::size_t kImageHead = 24;
  if (record.size() < kImageHead)
    return Error{fmt::format("{} bytes are too few for a picture with its label", record.size())};
  const auto count = littleEndian<std::uint32_t>(record.data());
  const auto rest = record.subspan(kImageHead);
  if (count > rest.size() / sizeof(float))
    return Error{
        fmt::format("it should have {} labels in {} bytes", grouped(count), grouped(rest.size()))};
  const std::size_t bytes = count * sizeof(float);
  return RecordIoImage{count == 0 ? record.subspan(4, sizeof(float)) : rest.first(bytes),
                       littleEndian<std::uint64_t>(record.data() + 8), rest.subspan(bytes)};
}

}  // namespace millrace
