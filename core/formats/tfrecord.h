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
#include "core/formats/file_window.h"
#include "core/formats/range_reader.h"

namespace millrace {

/// TFRecord: { u64 length; u32 masked CRC-32C of the length; payload; u32 masked CRC-32C of it },
/// little-endian, one behind the other, no index (tensorflow/core/lib/io/record_writer).
constexpr std::size_t kTfRecordHead = 12;
constexpr std::size_t kTfRecordFrame = kTfRecordHead + 4;

/// Whether a file is called as TFRecord files are: `x.tfrecord`, `x.tfrecord.gz`, `x.tfrec`,
/// `x.record`, `train-00000-of-01024`.
bool isTfRecordName(std::string_view name);

/// The payload's length where a sound head lies at `bytes`.
std::optional<std::uint64_t> tfRecordLength(const std::byte* bytes);

/// Where the records of one file lie: 4 bytes a record and 16 for each 64 of them. A value; one
/// thread writes it while no other reads.
class TfRecordIndex {
 public:
  struct Place {
    std::uint64_t offset = 0;  ///< of the head
    std::uint32_t length = 0;  ///< of the payload
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
  std::uint64_t m_end = 0;  ///< of the last record
};

/// Looks for the records of a file from its begin to its end, reading heads alone where records
/// are long. Damage is passed over: the next sound head behind it is looked for byte by byte. One
/// thread; the descriptor must outlive it.
class TfRecordScan {
 public:
  TfRecordScan(int fd, std::uint64_t size);

  /// Finds at most `most` more. The error (the file cannot be read) is a sentence without its
  /// name.
  Status advance(std::size_t most, TfRecordIndex& index);
  bool done() const { return m_at >= m_size; }
  /// What was passed over, in sentences without the file's name; a limited number of them.
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

/// The payload of a record that an index names. Checks that the head is still what it was, and
/// with `check` the payload's sum. Valid until the reader's next read, or in `room`. The error is a
/// sentence with the offset.
Result<std::span<std::byte>> readTfRecord(RangeReader& reader, int fd,
                                          const TfRecordIndex::Place& place, bool check,
                                          ReadCounters& counters, Sample::Room room = {});
/// The same with a part of the payload read to another place (RangeReader::readAround).
Result<std::span<std::byte>> readTfRecord(RangeReader& reader, int fd,
                                          const TfRecordIndex::Place& place, bool check,
                                          ReadCounters& counters, const RangeReader::Inlay& inlay);

}  // namespace millrace
