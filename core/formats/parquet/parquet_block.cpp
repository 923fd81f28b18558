// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_block.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/parquet/parquet_content.h"

namespace millrace {

namespace {

/// More values in one part are refused, however small their pages are.
constexpr std::uint64_t kMostPartValues = 2 * std::uint64_t{ParquetPage::kMostValues};

/// A page and its bytes, without the header.
struct PageBytes {
  ParquetPage page;
  std::span<const std::byte> bytes;
};

/// Takes the next page from `rest`. The part's range was made from the headers, so that a different
/// length is damage.
Result<PageBytes> nextPage(std::span<const std::byte>& rest) {
  MILLRACE_ASSIGN_OR_RETURN(const auto page, parseParquetPage(rest));
  if (!page || page->packedBytes > rest.size() - page->headBytes)
    return Error{"its page is cut off"};
  PageBytes found{*page, rest.subspan(page->headBytes, page->packedBytes)};
  rest = rest.subspan(page->headBytes + page->packedBytes);
  MILLRACE_TRY(checkParquetSum(found.page, found.bytes));
  return found;
}

}  // namespace

/// Decodes the pages of one part. One thread.
class BlockDecoder {
 public:
  BlockDecoder(const ParquetColumn& column, ParquetCodec codec, ParquetUnpacker& unpacker,
               std::shared_ptr<const ParquetValues> dictionary, ParquetBlock& block)
      : m_column(column),
        m_codec(codec),
        m_unpacker(unpacker),
        m_dictionary(std::move(dictionary)),
        m_block(block) {}

  /// Whether values borrow from the pages.
  bool borrows() const { return m_borrows; }

  Status add(const PageBytes& found) {
    const ParquetPage& page = found.page;
    if (!page.isData()) return {};
    m_values += page.values;
    if (m_values > kMostPartValues)
      return Error{fmt::format("more than {} values belong together", grouped(kMostPartValues))};
    MILLRACE_ASSIGN_OR_RETURN(auto content,
                              openParquetPage(m_column, m_codec, page, found.bytes, m_unpacker));
    MILLRACE_ASSIGN_OR_RETURN(const auto present,
                              addLevels(page, content.repetitions, content.definitions));
    MILLRACE_TRY(
        m_block.m_values.append(m_column, page.encoding, content.values, present, m_dictionary));
    m_borrows = m_borrows || content.borrows;
    if (m_column.type == ParquetType::ByteArray && content.memory.data() != nullptr)
      m_block.m_values.keep(std::move(content.memory));
    return {};
  }

  Status finish() {
    if (m_within) return Error{"its first page begins within a row"};
    const std::size_t rows = m_column.list() ? m_block.m_lists.size() : m_rows;
    if (rows != m_block.m_rows)
      return Error{fmt::format("its page has {} rows instead of {}", grouped(rows),
                               grouped(m_block.m_rows))};
    if (!m_nulls) m_block.m_valueOf = {};
    return {};
  }

 private:
  /// Adds the rows of a page; returns how many values it has.
  Result<std::size_t> addLevels(const ParquetPage& page, std::span<const std::byte> repetitions,
                                std::span<const std::byte> definitions) {
    const auto before = static_cast<std::uint32_t>(m_block.m_values.size());
    std::uint32_t present = before;
    if (m_column.definition == 0) {
      m_rows += page.values;
      return page.values;
    }
    ParquetLevels starts(repetitions, m_column.repetition);
    ParquetLevels depths(definitions, m_column.definition);
    std::array<std::uint32_t, 256> start{};
    std::array<std::uint32_t, 256> depth{};
    for (std::size_t left = page.values; left > 0;) {
      const std::size_t count = std::min(left, depth.size());
      MILLRACE_TRY(depths.read(std::span(depth).first(count)));
      MILLRACE_TRY(starts.read(std::span(start).first(count)));
      for (std::size_t i = 0; i < count; ++i) {
        if (m_column.list())
          addToList(start[i] == 0, depth[i], present);
        else
          addFlat(depth[i], present);
      }
      left -= count;
    }
    return std::size_t{present - before};
  }

  void addFlat(std::uint32_t depth, std::uint32_t& present) {
    const bool there = depth == m_column.definition;
    m_nulls = m_nulls || !there;
    m_block.m_valueOf.push_back(there ? present++ : ParquetBlock::kNull);
    ++m_rows;
  }

  /// Values before the part's first row and after its last one belong to other parts.
  void addToList(bool first, std::uint32_t depth, std::uint32_t& present) {
    auto& lists = m_block.m_lists;
    const bool there = depth == m_column.definition;
    if (!first && lists.empty() && m_block.m_firstRow == 0) m_within = true;
    if (first) {
      m_done = lists.size() == m_block.m_rows;
      if (!m_done) lists.push_back({present, 0, depth + 1 < m_column.element, false});
    }
    if (!m_done && !lists.empty()) {
      if (there)
        ++lists.back().count;
      else if (depth >= m_column.element)
        lists.back().nullWithin = true;
    }
    if (there) ++present;
  }

  const ParquetColumn& m_column;
  const ParquetCodec m_codec;
  ParquetUnpacker& m_unpacker;
  const std::shared_ptr<const ParquetValues> m_dictionary;
  ParquetBlock& m_block;
  std::uint64_t m_rows = 0;    ///< of columns that are not lists
  std::uint64_t m_values = 0;  ///< nulls included
  bool m_done = false;         ///< all rows of the part are complete
  bool m_within = false;       ///< the chunk begins within a row
  bool m_nulls = false;
  bool m_borrows = false;
};

Result<ParquetBlock> ParquetBlock::decode(const ParquetColumn& column, ParquetCodec codec,
                                          const ParquetPart& part, Buffer& pages,
                                          std::shared_ptr<const ParquetValues> dictionary,
                                          ParquetUnpacker& unpacker) {
  ParquetBlock block(column, part);
  BlockDecoder decoder(column, codec, unpacker, std::move(dictionary), block);
  for (std::span<const std::byte> rest(pages.data(), part.bytes); !rest.empty();) {
    MILLRACE_ASSIGN_OR_RETURN(const auto page, nextPage(rest));
    MILLRACE_TRY(decoder.add(page));
  }
  MILLRACE_TRY(decoder.finish());
  if (decoder.borrows() && column.type == ParquetType::ByteArray)
    block.m_values.keep(std::exchange(pages, Buffer()));
  return block;
}

ParquetCell ParquetBlock::at(std::uint32_t row) const {
  const std::uint32_t place = row - m_firstRow;
  if (!m_lists.empty()) {
    const List& list = m_lists[place];
    if (list.null || list.count == 0) return {list.null, list.nullWithin, 0, {}};
    return {false, list.nullWithin, list.count, m_values.at(list.first, list.count)};
  }
  const std::uint32_t value = m_valueOf.empty() ? place : m_valueOf[place];
  if (value == kNull) return {true, false, 0, {}};
  return {false, false, 1, m_values.at(value, 1)};
}

std::size_t ParquetBlock::bytes() const {
  return m_values.bytes() + m_valueOf.capacity() * sizeof(std::uint32_t) +
         m_lists.capacity() * sizeof(List);
}

Result<std::shared_ptr<const ParquetValues>> decodeParquetDictionary(const ParquetColumn& column,
                                                                     ParquetCodec codec,
                                                                     const ParquetPart& part,
                                                                     Buffer& pages,
                                                                     ParquetUnpacker& unpacker) {
  std::span<const std::byte> rest(pages.data(), part.bytes);
  MILLRACE_ASSIGN_OR_RETURN(const auto found, nextPage(rest));
  const ParquetPage& page = found.page;
  constexpr int kPlainDictionaryPage = 2;
  if (page.encoding != 0 && page.encoding != kPlainDictionaryPage)
    return Error{fmt::format("its dictionary has the encoding {}", page.encoding)};
  auto values = std::make_shared<ParquetValues>(column);
  std::span<const std::byte> bytes = found.bytes;
  if (codec != ParquetCodec::Uncompressed && page.bytes > 0) {
    MILLRACE_ASSIGN_OR_RETURN(Buffer memory, unpacker.unpack(codec, bytes, page.bytes));
    bytes = {memory.data(), page.bytes};
    values->keep(std::move(memory));
  } else {
    values->keep(std::exchange(pages, Buffer()));
  }
  if (Status read = values->append(column, 0, bytes, page.values, nullptr); !read)
    return Error{"its dictionary: " + read.error().message};
  return std::shared_ptr<const ParquetValues>(std::move(values));
}

}  // namespace millrace
