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
#include "core/formats/io/file_window.h"
#include "core/formats/io/range_reader.h"

namespace millrace {

/// MXNet's RecordIO (dmlc-core, include/dmlc/recordio.h): parts { u32 magic; u32 kind << 29 |
/// length; bytes; zero padding to a multiple of 4 }. A record is one part of kind 0; or, if its
/// bytes contain the magic number at a multiple of 4, parts of kind 1, 2, ..., 3, between which the
/// magic number is to be inserted again.
constexpr std::uint32_t kRecordIoMagic = 0xced7230aU;
constexpr std::size_t kRecordIoHead = 8;

/// `x.rec`.
bool isRecordIoName(std::string_view name);

/// The places of a file's records. A value; must not be read while it is written.
struct RecordIoIndex {
  struct Place {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;  ///< with all headers; an upper bound if it comes from the .idx file
  };
  std::vector<Place> places;
  std::vector<std::uint64_t> keys;  ///< from an .idx file; otherwise empty
};

/// Reads an .idx file, lines of `key offset`, for a record file of `size` bytes. The error says
/// which line is invalid.
Result<RecordIoIndex> readRecordIoIdx(const std::filesystem::path& path, std::uint64_t size);

/// Finds the records of a file by their headers, from start to end. Damage is skipped up to the
/// next header. One thread; the descriptor must outlive it.
class RecordIoScan {
 public:
  RecordIoScan(int fd, std::uint64_t size) : m_size(size), m_window(fd) {}

  /// Finds up to `most` further records. The error (the file cannot be read) does not contain its
  /// name.
  Status advance(std::size_t most, RecordIoIndex& index);
  bool done() const { return m_at >= m_size; }
  /// What was skipped, in sentences without the file's name; limited in number.
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

  /// The bytes of a record; valid until the next read. The error contains the offset.
  Result<std::span<const std::byte>> read(int fd, const RecordIoIndex::Place& place,
                                          ReadCounters& counters, Sample::Room room = {});

 private:
  RangeReader m_range;
  std::vector<std::byte> m_joined;
};

/// The record at the start of `bytes`, assembled in `joined` if it has several parts. The error
/// says what does not match, and at which offset.
Result<std::span<const std::byte>> joinRecordIo(std::span<const std::byte> bytes,
                                                std::vector<std::byte>& joined);

/// The content of a record of MXNet's image tools (python/mxnet/recordio.py, IRHeader): u32 number
/// of labels after the header; f32 label; u64 id; u64 second id; then the labels and the picture.
struct RecordIoImage {
  std::span<const std::byte> labels;  ///< f32 each: those after the header, otherwise the one in it
  std::uint64_t id = 0;
  std::span<const std::byte> content;

  std::size_t labelCount() const { return labels.size() / sizeof(float); }
  float label(std::size_t i) const;
};
Result<RecordIoImage> parseRecordIoImage(std::span<const std::byte> record);

}  // namespace millrace
