// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/file_window.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

/// TFRecord: { u64 length; u32 masked CRC-32C of the length; payload; u32 masked CRC-32C of the
/// payload }, little-endian, consecutive, without an index (tensorflow/core/lib/io/record_writer).
constexpr std::size_t kTfRecordHead = 12;
constexpr std::size_t kTfRecordFrame = kTfRecordHead + 4;

/// Whether a file has a usual TFRecord name: `x.tfrecord`, `x.tfrecord.gz`, `x.tfrec`, `x.record`,
/// `train-00000-of-01024`.
bool isTfRecordName(std::string_view name);

/// The payload's length if `bytes` is a valid header.
std::optional<std::uint64_t> tfRecordLength(const std::byte* bytes);

/// The places of the records of one file: 4 bytes per record and 16 per 64 records. A value; must
/// not be read while it is written.
class TfRecordIndex {
 public:
  struct Place {
    std::uint64_t offset = 0;  ///< offset of the header
    std::uint32_t length = 0;  ///< length of the payload
  };
  std::size_t size() const { return m_lengths.size(); }
  Place at(std::size_t i) const;
  void append(const Place& place);

 private:
  struct Anchor {
    std::size_t record;
    std::uint64_t offset;
  };
  static constexpr std::size_t kPerAnchor = 64;
  std::vector<Anchor> m_anchors;
  std::vector<std::uint32_t> m_lengths;
  std::uint64_t m_end = 0;  ///< end of the last record
};

/// Finds the records of a file from start to end, reading only headers where records are long.
/// Damage is skipped: the next valid header is searched for byte by byte. One thread; the
/// descriptor must outlive it.
class TfRecordScan {
 public:
  TfRecordScan(int fd, std::uint64_t size);

  /// Finds up to `most` further records. The error (the file cannot be read) does not contain its
  /// name.
  Status advance(std::size_t most, TfRecordIndex& index);
  bool done() const { return m_at >= m_size; }
  /// What was skipped, in sentences without the file's name; limited in number.
  const std::vector<std::string>& damage() const { return m_damage; }
  std::uint64_t damagedPlaces() const { return m_damagedPlaces; }

 private:
  Status findNextHead();
  void note(const std::string& sentence);

  const std::uint64_t m_size;
  std::uint64_t m_at = 0;
  FileWindow m_window;
  bool m_shortRecords = true;
  std::vector<std::string> m_damage;
  std::uint64_t m_damagedPlaces = 0;
};

/// Reads the payload of an indexed record. Checks that its header is unchanged, and with `check`
/// the payload's checksum. Valid until the reader's next read, or in `room`. The error contains the
/// offset.
Result<std::span<std::byte>> readTfRecord(RangeReader& reader, int fd,
                                          const TfRecordIndex::Place& place, bool check,
                                          ReadCounters& counters, Sample::Room room = {});
/// The same, with part of the payload read to another place (RangeReader::readAround).
Result<std::span<std::byte>> readTfRecord(RangeReader& reader, int fd,
                                          const TfRecordIndex::Place& place, bool check,
                                          ReadCounters& counters, const RangeReader::Inlay& inlay);

}  // namespace millrace
