// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_footer.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr std::size_t kTailBytes = 8;  ///< the footer's length and the magic
constexpr std::uint64_t kLongestFooter = std::uint64_t{1} << 28U;
constexpr std::size_t kMostElements = 100'000;
constexpr std::array<std::string_view, 8> kCodecNames = {
    "uncompressed", "snappy", "gzip", "lzo", "brotli", "lz4", "zstd", "lz4_raw"};

/// The stored numbers of a chunk.
struct StoredChunk {
  bool described = false;
  bool elsewhere = false;  ///< its pages are in another file
  bool encrypted = false;
  std::int64_t type = -1;
  std::int64_t codec = -1;
  std::int64_t values = -1;
  std::int64_t bytes = -1;
  std::int64_t dataOffset = -1;
  std::int64_t dictionaryOffset = 0;
  std::int64_t indexOffset = 0;
  std::int64_t indexBytes = 0;
};

/// The parser of one footer.
class FooterParser {
 public:
  explicit FooterParser(std::span<const std::byte> bytes) : m_thrift(bytes) {}

  Result<ParquetFooter> parse() {
    m_thrift.fields([this](int id, ThriftType type) { return field(id, type); });
    if (!m_error.message.empty()) return m_error;
    if (!m_thrift.ok())
      return Error{fmt::format("its footer is {} at byte {} of the footer",
                               m_thrift.cut() ? "cut off" : "damaged", grouped(m_thrift.taken()))};
    if (!m_schema) return Error{"its footer has no schema"};
    return std::move(m_footer);
  }

 private:
  bool field(int id, ThriftType type) {
    switch (id) {
      case 2: return schema(type);
      case 4: return m_thrift.list(type, [this](ThriftType of) { group(of); });
      case 5: return m_thrift.list(type, [this](ThriftType of) { note(of); });
      default: return false;
    }
  }

  void fail(Error error) {
    if (m_error.message.empty()) m_error = std::move(error);
    m_thrift.fail();
  }

  bool schema(ThriftType type) {
    std::vector<ParquetElement> elements;
    m_thrift.list(type, [&](ThriftType of) {
      ParquetElement element;
      if (of != ThriftType::Struct) return m_thrift.fail();
      readParquetElement(m_thrift, element);
      elements.push_back(std::move(element));
      if (elements.size() > kMostElements) fail(Error{"its schema has more than 100 000 elements"});
    });
    if (!m_thrift.ok()) return true;
    auto columns = columnsOfSchema(elements);
    if (!columns) {
      fail(columns.error());
      return true;
    }
    m_footer.columns = columns.take();
    m_schema = true;
    return true;
  }

  /// Takes the feature description of Hugging Face's library `datasets`.
  void note(ThriftType of) {
    std::string key;
    std::string value;
    m_thrift.structure(of, [&](int id, ThriftType type) {
      if (id == 1) return m_thrift.text(type, key);
      return id == 2 && m_thrift.text(type, value);
    });
    if (key == "huggingface") m_footer.features = std::move(value);
  }

  void group(ThriftType of) {
    ParquetGroup group;
    std::int64_t rows = -1;
    m_thrift.structure(of, [&](int id, ThriftType type) {
      if (id == 3) return m_thrift.integer(type, rows);
      if (id != 1) return false;
      return m_thrift.list(type, [&](ThriftType chunkType) { chunk(chunkType, group); });
    });
    if (!m_thrift.ok()) return;
    if (!m_schema) return fail(Error{"its footer has row groups before the schema"});
    if (group.chunks.size() != m_footer.columns.size())
      return fail(Error{fmt::format("row group {} has {}, but the schema {}",
                                    m_footer.groups.size(), counted(group.chunks.size(), "column"),
                                    counted(m_footer.columns.size(), "column"))});
    const std::int64_t most = std::numeric_limits<std::uint32_t>::max() - m_footer.rows;
    if (rows < 0 || rows > most)
      return fail(Error{fmt::format("row group {} has {} rows", m_footer.groups.size(), rows)});
    group.rows = static_cast<std::uint32_t>(rows);
    m_footer.rows += group.rows;
    m_footer.groups.push_back(std::move(group));
  }

  void chunk(ThriftType of, ParquetGroup& group) {
    StoredChunk stored;
    m_thrift.structure(of, [&](int id, ThriftType type) {
      std::string path;
      switch (id) {
        case 1:
          m_thrift.text(type, path);
          stored.elsewhere = !path.empty();
          return true;
        case 3:
          stored.described = true;
          return m_thrift.structure(
              type, [&](int meta, ThriftType value) { return description(meta, value, stored); });
        case 4: return m_thrift.integer(type, stored.indexOffset);
        case 5: return m_thrift.integer(type, stored.indexBytes);
        case 8: stored.encrypted = true; return false;
        default: return false;
      }
    });
    const std::size_t number = group.chunks.size();
    if (!m_thrift.ok()) return;
    if (number >= m_footer.columns.size()) return fail(Error{"a row group has too many columns"});
    group.chunks.push_back(checked(stored, m_footer.columns[number]));
  }

  bool description(int id, ThriftType type, StoredChunk& stored) {
    switch (id) {
      case 1: return m_thrift.integer(type, stored.type);
      case 4: return m_thrift.integer(type, stored.codec);
      case 5: return m_thrift.integer(type, stored.values);
      case 7: return m_thrift.integer(type, stored.bytes);
      case 9: return m_thrift.integer(type, stored.dataOffset);
      case 11: return m_thrift.integer(type, stored.dictionaryOffset);
      default: return false;
    }
  }

  /// A chunk that cannot be read makes its column unreadable, not the file.
  static ParquetChunk checked(const StoredChunk& stored, ParquetColumn& column) {
    const auto refuse = [&](std::string why) {
      if (column.whyNot.empty()) column.whyNot = std::move(why);
      return ParquetChunk{};
    };
    if (stored.encrypted) return refuse("it is encrypted");
    if (stored.elsewhere) return refuse("its data is in another file");
    if (!stored.described || stored.values < 0 || stored.bytes < 0 || stored.dataOffset < 0 ||
        stored.dictionaryOffset < 0 || stored.type != static_cast<int>(column.type))
      return refuse("its description in the footer is damaged");
    if (stored.codec < 0 || stored.codec >= static_cast<std::int64_t>(kCodecNames.size()))
      return refuse(fmt::format("its compression has the unknown number {}", stored.codec));
    ParquetChunk chunk;
    chunk.codec = static_cast<ParquetCodec>(stored.codec);
    if (chunk.codec == ParquetCodec::Lzo)
      return refuse("it is compressed with LZO; write it with zstd");
    // Some writers put 0 where there is no dictionary.
    const bool dictionary = stored.dictionaryOffset > 0;
    chunk.begin = static_cast<std::uint64_t>(
        dictionary ? std::min(stored.dictionaryOffset, stored.dataOffset) : stored.dataOffset);
    chunk.bytes = static_cast<std::uint64_t>(stored.bytes);
    chunk.values = static_cast<std::uint64_t>(stored.values);
    if (stored.indexOffset > 0 && stored.indexBytes > 0 &&
        stored.indexBytes <= std::numeric_limits<std::int32_t>::max()) {
      chunk.indexOffset = static_cast<std::uint64_t>(stored.indexOffset);
      chunk.indexBytes = static_cast<std::uint32_t>(stored.indexBytes);
    }
    return chunk;
  }

  ThriftReader m_thrift;
  ParquetFooter m_footer;
  bool m_schema = false;
  Error m_error;
};

}  // namespace

std::string_view nameOf(ParquetCodec codec) { return kCodecNames[static_cast<std::size_t>(codec)]; }

Result<ParquetFooter> parseParquetFooter(std::span<const std::byte> bytes) {
  return FooterParser(bytes).parse();
}

Result<ParquetFooter> readParquetFooter(const OpenFile& file) {
  std::array<std::byte, kTailBytes> tail{};
  if (file.size < 4 + kTailBytes) return Error{"it is too short for a Parquet file"};
  MILLRACE_ASSIGN_OR_RETURN(
      const auto got, readAt(file.fd.get(), file.size - kTailBytes, tail.data(), tail.size()));
  const std::string_view magic(reinterpret_cast<const char*>(tail.data()) + 4, 4);
  if (got == kTailBytes && magic == "PARE")
    return Error{"its footer is encrypted, which is not supported"};
  if (got < kTailBytes || magic != "PAR1")
    return Error{"it does not end with PAR1: it is cut off, or not a Parquet file"};
  const auto length = littleEndian<std::uint32_t>(tail.data());
  if (length > file.size - 4 - kTailBytes)
    return Error{fmt::format("its footer should have {} bytes, but the file has {}",
                             grouped(length), grouped(file.size))};
  if (length > kLongestFooter)
    return Error{fmt::format("its footer has {} bytes; at most {} are supported", grouped(length),
                             grouped(kLongestFooter))};
  std::vector<std::byte> bytes(length);
  MILLRACE_ASSIGN_OR_RETURN(const auto read, readAt(file.fd.get(), file.size - kTailBytes - length,
                                                    bytes.data(), bytes.size()));
  if (read < length) return Error{"it became shorter while it was being opened"};
  return parseParquetFooter(bytes);
}

}  // namespace millrace
