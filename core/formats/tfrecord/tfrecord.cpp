// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/tfrecord/tfrecord.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/crc32c.h"
#include "core/base/little_endian.h"
#include "core/base/text/text.h"
#include "core/formats/io/file_error.h"

namespace millrace {

namespace {

/// The search for the next record after damage ends after this many bytes.
constexpr std::uint64_t kFurthestRecord = std::uint64_t{1} << 30U;

}  // namespace

bool isTfRecordName(std::string_view name) {
  std::string low(name);
  for (char& letter : low)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  // ImageNet's files are named train-00000-of-01024, without an extension.
  const std::size_t of = low.find("-of-");
  const bool isShard = of != std::string::npos && of > 5 && low.find('.') == std::string::npos;
  return isShard || low.find(".tfrec") != std::string::npos || low.ends_with(".record");
}

std::optional<std::uint64_t> tfRecordLength(const std::byte* bytes) {
  const std::uint32_t sum = crc32c({bytes, 8});
  if (maskedCrc(sum) != littleEndian<std::uint32_t>(bytes + 8)) return std::nullopt;
  return littleEndian<std::uint64_t>(bytes);
}

TfRecordIndex::Place TfRecordIndex::at(std::size_t i) const {
  const auto after = std::upper_bound(
      m_anchors.begin(), m_anchors.end(), i,
      [](std::size_t record, const Anchor& anchor) { return record < anchor.record; });
  const Anchor& anchor = *(after - 1);
  std::uint64_t offset = anchor.offset;
  for (std::size_t k = anchor.record; k < i; ++k) offset += m_lengths[k] + kTfRecordFrame;
  return {offset, m_lengths[i]};
}

void TfRecordIndex::append(const Place& place) {
  if (m_anchors.empty() || place.offset != m_end ||
      m_lengths.size() - m_anchors.back().record == kPerAnchor)
    m_anchors.push_back({m_lengths.size(), place.offset});
  m_lengths.push_back(place.length);
  m_end = place.offset + place.length + kTfRecordFrame;
}

TfRecordScan::TfRecordScan(int fd, std::uint64_t size) : m_size(size), m_window(fd) {}

void TfRecordScan::note(const std::string& sentence) {
  ++m_damagedPlaces;
  if (m_damage.size() < kMostDamageNotes) m_damage.push_back(sentence);
}

Status TfRecordScan::advance(std::size_t most, TfRecordIndex& index) {
  for (std::size_t found = 0; found < most && m_at < m_size;) {
    const std::uint64_t left = m_size - m_at;
    if (left < kTfRecordFrame) {
      note(fmt::format("ends within a record's header at byte {}", grouped(m_at)));
      m_at = m_size;
      return {};
    }
    MILLRACE_ASSIGN_OR_RETURN(const auto head, m_window.at(m_at, kTfRecordHead, m_shortRecords));
    const auto length = head == nullptr ? std::nullopt : tfRecordLength(head);
    if (!length) {
      MILLRACE_TRY(findNextHead());
      continue;
    }
    if (*length > left - kTfRecordFrame) {
      note(fmt::format("ends within the record at byte {}: {} of its {} bytes are there",
                       grouped(m_at), grouped(left - kTfRecordHead), grouped(*length)));
      m_at = m_size;
      return {};
    }
    if (*length > RangeReader::kLargest) {
      note(fmt::format("the record at byte {} has {} bytes, which exceeds the limit for a sample",
                       grouped(m_at), grouped(*length)));
    } else {
      index.append({m_at, static_cast<std::uint32_t>(*length)});
      m_shortRecords = *length < FileWindow::kShort;
      ++found;
    }
    m_at += *length + kTfRecordFrame;
  }
  return {};
}

/// Skips to the next possible start of a record: a length with the correct checksum that fits the
/// file.
Status TfRecordScan::findNextHead() {
  const std::uint64_t from = m_at;
  const std::uint64_t end = std::min(m_size, from + kFurthestRecord);
  for (std::uint64_t at = from + 1; at + kTfRecordFrame <= end; ++at) {
    MILLRACE_ASSIGN_OR_RETURN(const auto head, m_window.at(at, kTfRecordHead, true));
    if (head == nullptr) break;
    if (littleEndian<std::uint64_t>(head) > m_size - at - kTfRecordFrame) continue;
    if (!tfRecordLength(head)) continue;
    note(fmt::format("no record header at byte {}: {} bytes left out, up to the next one",
                     grouped(from), grouped(at - from)));
    m_at = at;
    return {};
  }
  note(fmt::format("no record header at byte {} or after it: the rest, {} bytes, is left out",
                   grouped(from), grouped(m_size - from)));
  m_at = m_size;
  return {};
}

namespace {

/// Checks and returns the payload, whose middle may be stored elsewhere.
Result<std::span<std::byte>> checkedPayload(std::span<std::byte> bytes,
                                            const TfRecordIndex::Place& place, bool check,
                                            const RangeReader::Inlay& inlay) {
  const std::span<std::byte> payload = bytes.subspan(kTfRecordHead, place.length);
  if (littleEndian<std::uint64_t>(bytes.data()) != place.length)
    return Error{fmt::format("the record at byte {} has changed since the file was indexed",
                             grouped(place.offset))};
  const auto sum = littleEndian<std::uint32_t>(bytes.data() + kTfRecordHead + place.length);
  if (check && maskedCrc(crc32c({payload.first(inlay.begin), inlay.to,
                                 payload.subspan(inlay.begin + inlay.to.size())})) != sum)
    return Error{fmt::format("the record at byte {} is damaged: its checksum is wrong",
                             grouped(place.offset))};
  return payload;
}

}  // namespace

Result<std::span<std::byte>> readTfRecord(RangeReader& reader, int fd,
                                          const TfRecordIndex::Place& place, bool check,
                                          ReadCounters& counters, Sample::Room room) {
  const auto bytes = reader.read(fd, place.offset, place.length + kTfRecordFrame, counters, room);
  return bytes ? checkedPayload(*bytes, place, check, {}) : bytes;
}

Result<std::span<std::byte>> readTfRecord(RangeReader& reader, int fd,
                                          const TfRecordIndex::Place& place, bool check,
                                          ReadCounters& counters, const RangeReader::Inlay& inlay) {
  const auto bytes = reader.readAround(fd, place.offset, place.length + kTfRecordFrame,
                                       {kTfRecordHead + inlay.begin, inlay.to}, counters);
  return bytes ? checkedPayload(*bytes, place, check, inlay) : bytes;
}

}  // namespace millrace
