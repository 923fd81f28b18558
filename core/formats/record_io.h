// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/file_window.h"
#include "core/formats/range_reader.h"

namespace millrace {

/// MXNet's RecordIO (dmlc-core, include/dmlc/recordio.h): parts { u32 magic; u32 kind << 29 |
/// length; bytes; zeros up to a multiple of 4 }. A record is one part of kind 0, or parts of kind
/// 1, 2, ..., 3 where the magic stood in its bytes at a multiple of 4: it goes between them.
constexpr std::uint32_t kRecordIoMagic = 0xced7230aU;
constexpr std::size_t kRecordIoHead = 8;

/// `x.rec`.
bool isRecordIoName(std::string_view name);

/// Where the records of one file lie. A value; one thread writes it while no other reads.
struct RecordIoIndex {
  struct Place {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  ///< with all heads; at least, where the file's own index says it
  };
  std::vector<Place> places;
  std::vector<std::uint64_t> keys;  ///< of an .idx file; else empty
};

/// Reads an .idx file, lines of `key offset`, for a file of records of `size` bytes. The error says
/// which line cannot be.
Result<RecordIoIndex> readRecordIoIdx(const std::filesystem::path& path, std::uint64_t size);

/// Looks for the records of a file from its begin to its end by their heads. Damage is passed over
/// up to the next head. One thread; the descriptor must outlive it.
class RecordIoScan {
 public:
  RecordIoScan(int fd, std::uint64_t size) : m_size(size), m_window(fd) {}

  /// Finds at most `most` more. The error (the file cannot be read) is a sentence without its name.
  Status advance(std::size_t most, RecordIoIndex& index);
  bool done() const { return m_at >= m_size; }
  /// What was passed over, in sentences without the file's name; a limited number of them.
  const std::vector<std::string>& damage() const { return m_damage; }

 private:
  Result<std::uint64_t> endOfRecord();
  Status findNextHead();
  void note(std::string sentence);

  const std::uint64_t m_size;
  std::uint64_t m_at = 0;
  FileWindow m_window;
  bool m_shortRecords = true;
  std::vector<std::string> m_damage;
};

/// Reads records. One thread.
class RecordIoReader {
 public:
  explicit RecordIoReader(ReadBy by = ReadBy::Cache) : m_range(by) {}

  /// The bytes of a record; valid until the next read. The error is a sentence with the offset.
  Result<std::span<const std::byte>> read(int fd, const RecordIoIndex::Place& place,
                                          ReadCounters& counters, Sample::Room room = {});

 private:
  RangeReader m_range;
  std::vector<std::byte> m_joined;
};

/// The record at the begin of `bytes`; put together in `joined` where it has several parts. The
/// error says what does not fit, and where from the begin on.
Result<std::span<const std::byte>> joinRecordIo(std::span<const std::byte> bytes,
                                                std::vector<std::byte>& joined);

/// What MXNet's image tools put into a record (python/mxnet/recordio.py, IRHeader): u32 number of
/// labels behind the head; f32 label; u64 id; u64 second id; then the labels and the picture.
struct RecordIoImage {
  std::span<const std::byte> labels;  ///< f32 each: those behind the head, else the one in it
  std::uint64_t id = 0;
  std::span<const std::byte> content;

  std::size_t labelCount() const { return labels.size() / sizeof(float); }
  float label(std::size_t i) const;
};
Result<RecordIoImage> parseRecordIoImage(std::span<const std::byte> record);

}  // namespace millrace
