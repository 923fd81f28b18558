// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_parts.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/file_window.h"
#include "core/formats/parquet/parquet_content.h"
#include "core/formats/parquet/thrift_reader.h"

namespace millrace {

namespace {

/// Old versions of parquet-mr did not count the dictionary's header in the size of a chunk.
constexpr std::uint64_t kUncounted = 100;

/// The pages of one chunk.
class PageWalk {
 public:
  PageWalk(const OpenFile& file, const ParquetColumn& column, const ParquetChunk& chunk,
           std::uint32_t rows, ParquetUnpacker& unpacker)
      : m_file(file),
        m_column(column),
        m_chunk(chunk),
        m_rows(rows),
        m_end(std::min(chunk.begin + chunk.bytes + kUncounted, file.size)),
        m_unpacker(unpacker),
        m_window(file.fd.get()) {}

  Result<ParquetParts> find() {
    if (m_chunk.bytes > m_file.size || m_chunk.begin > m_file.size - m_chunk.bytes)
      return Error{fmt::format("it should be at bytes {} to {} of a file of {}",
                               grouped(m_chunk.begin), grouped(m_chunk.begin + m_chunk.bytes),
                               grouped(m_file.size))};
    if (!m_column.list() && m_chunk.values != m_rows)
      return Error{fmt::format("it has {} values, but its row group {} rows",
                               grouped(m_chunk.values), grouped(m_rows))};
    if (m_rows == 0) return ParquetParts{};
    if (byIndex()) return std::move(m_parts);
    m_parts = {};
    MILLRACE_TRY(byHeaders());
    return std::move(m_parts);
  }

 private:
  /// Reads the header of the page at `at`.
  Result<ParquetPage> headerAt(std::uint64_t at) {
    const std::uint64_t left = m_end - at;
    for (std::uint64_t count = 512;; count *= 16) {
      // Statistics can be long.
      constexpr std::uint64_t kLongestHeader = std::uint64_t{1} << 23U;
      const std::uint64_t wanted = std::min(count, left);
      MILLRACE_ASSIGN_OR_RETURN(const std::byte* bytes, m_window.at(at, wanted, false));
      if (bytes == nullptr) return Error{"the file became shorter"};
      MILLRACE_ASSIGN_OR_RETURN(const auto page, parseParquetPage({bytes, wanted}));
      if (!page && wanted < left && count < kLongestHeader) continue;
      if (!page || page->packedBytes > left - page->headBytes)
        return Error{fmt::format("the page at byte {} is cut off", grouped(at))};
      return *page;
    }
  }

  /// Returns false if there is no offset index or it contradicts the chunk.
  bool byIndex() {
    if (m_chunk.indexOffset == 0 || m_chunk.indexBytes > m_file.size ||
        m_chunk.indexOffset > m_file.size - m_chunk.indexBytes)
      return false;
    std::vector<std::byte> bytes(m_chunk.indexBytes);
    const auto got = readAt(m_file.fd.get(), m_chunk.indexOffset, bytes.data(), bytes.size());
    if (!got || *got < bytes.size()) return false;
    ThriftReader thrift(bytes);
    bool fits = true;
    thrift.fields([&](int id, ThriftType type) {
      if (id != 1) return false;
      return thrift.list(type, [&](ThriftType of) { fits = fits && location(thrift, of); });
    });
    if (!thrift.ok() || !fits || m_parts.data.empty()) return false;
    m_parts.data.back().rows = m_rows - m_parts.data.back().firstRow;
    if (m_parts.data.front().begin == m_chunk.begin) return true;
    const auto first = headerAt(m_chunk.begin);
    return first && addDictionary(*first, m_chunk.begin);
  }

  bool location(ThriftReader& thrift, ThriftType of) {
    std::int64_t begin = -1;
    std::int64_t bytes = -1;
    std::int64_t row = -1;
    thrift.structure(of, [&](int id, ThriftType type) {
      if (id == 1) return thrift.integer(type, begin);
      if (id == 2) return thrift.integer(type, bytes);
      return id == 3 && thrift.integer(type, row);
    });
    auto& data = m_parts.data;
    if (begin < 0 || bytes <= 0 || row < 0) return false;
    ParquetPart part{static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(bytes),
                     static_cast<std::uint32_t>(row), 0};
    const std::uint64_t least =
        data.empty() ? m_chunk.begin : data.back().begin + data.back().bytes;
    if (part.begin < least || part.begin > m_end || part.bytes > m_end - part.begin) return false;
    if (row >= m_rows || (data.empty() ? row != 0 : part.firstRow < data.back().firstRow))
      return false;
    if (!data.empty()) data.back().rows = part.firstRow - data.back().firstRow;
    data.push_back(part);
    return true;
  }

  bool addDictionary(const ParquetPage& page, std::uint64_t at) {
    if (page.kind != ParquetPage::Kind::Dictionary || m_parts.dictionary) return false;
    m_parts.dictionary = {at, std::uint64_t{page.headBytes} + page.packedBytes, 0, 0};
    return true;
  }

  Status byHeaders() {
    std::uint64_t values = 0;
    std::uint64_t row = 0;
    for (std::uint64_t at = m_chunk.begin; values < m_chunk.values;) {
      if (at >= m_end)
        return Error{fmt::format("its pages have {} of {} values", grouped(values),
                                 grouped(m_chunk.values))};
      MILLRACE_ASSIGN_OR_RETURN(const auto page, headerAt(at));
      const std::uint64_t bytes = std::uint64_t{page.headBytes} + page.packedBytes;
      if (page.isData()) {
        MILLRACE_ASSIGN_OR_RETURN(const auto rows, rowsOf(page, at));
        if (rows > m_rows - row) return Error{"its pages have more rows than their row group"};
        m_parts.data.push_back(
            {at, bytes, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(rows)});
        values += page.values;
        row += rows;
      } else if (page.kind == ParquetPage::Kind::Dictionary && !addDictionary(page, at)) {
        return Error{"it has two dictionaries"};
      }
      at += bytes;
    }
    if (row != m_rows)
      return Error{fmt::format("its pages have {} rows, but the row group {}", grouped(row),
                               grouped(m_rows))};
    if (!m_within.empty()) completeRows();
    return {};
  }

  /// The number of rows that begin in a page.
  Result<std::uint64_t> rowsOf(const ParquetPage& page, std::uint64_t at) {
    if (!m_column.list()) return page.values;
    if (page.kind == ParquetPage::Kind::DataV2) {
      m_within.push_back(false);
      return page.rows;
    }
    const std::span<std::byte> bytes(m_memory.reserve(page.packedBytes), page.packedBytes);
    MILLRACE_ASSIGN_OR_RETURN(
        const auto got, readAt(m_file.fd.get(), at + page.headBytes, bytes.data(), bytes.size()));
    if (got < bytes.size()) return Error{"the file became shorter"};
    MILLRACE_TRY(checkParquetSum(page, bytes));
    MILLRACE_ASSIGN_OR_RETURN(const auto content,
                              openParquetPage(m_column, m_chunk.codec, page, bytes, m_unpacker));
    ParquetLevels starts(content.repetitions, m_column.repetition);
    std::array<std::uint32_t, 256> some{};
    std::uint64_t rows = 0;
    bool within = false;
    for (std::size_t left = page.values; left > 0;) {
      const auto part = std::span(some).first(std::min(left, some.size()));
      MILLRACE_TRY(starts.read(part));
      if (left == page.values) within = part.front() != 0;
      rows += static_cast<std::uint64_t>(std::count(part.begin(), part.end(), 0U));
      left -= part.size();
    }
    m_within.push_back(within);
    return rows;
  }

  /// Extends each page to the page in which its last row ends.
  void completeRows() {
    auto& data = m_parts.data;
    for (std::size_t i = 0; i < data.size(); ++i) {
      std::size_t last = i;
      while (last + 1 < data.size() && m_within[last + 1] && data[i].rows > 0)
        if (data[++last].rows > 0) break;
      data[i].bytes = data[last].begin + data[last].bytes - data[i].begin;
    }
    std::erase_if(data, [](const ParquetPart& part) { return part.rows == 0; });
  }

  const OpenFile& m_file;
  const ParquetColumn& m_column;
  const ParquetChunk& m_chunk;
  const std::uint32_t m_rows;
  const std::uint64_t m_end;
  ParquetUnpacker& m_unpacker;
  FileWindow m_window;
  Buffer m_memory;
  ParquetParts m_parts;
  std::vector<bool> m_within;  ///< of each data page of a list: it begins within a row
};

}  // namespace

Result<ParquetParts> findParquetParts(const OpenFile& file, const ParquetColumn& column,
                                      const ParquetChunk& chunk, std::uint32_t rows,
                                      ParquetUnpacker& unpacker) {
  return PageWalk(file, column, chunk, rows, unpacker).find();
}

}  // namespace millrace
