// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_reader.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"

namespace millrace {

Result<ParquetCell> ParquetReader::read(std::size_t place, const Where& where, std::uint32_t row,
                                        ReadCounters& counters) {
  const ParquetFile::Place found = where.file->find(row);
  Held& held = m_held[place];
  const bool same = held.block && held.file == where.file && held.group == found.group &&
                    held.column == where.column && held.block->holds(found.row);
  if (!same) {
    MILLRACE_ASSIGN_OR_RETURN(auto block, blockOf(where, found, counters));
    held = {where.file, found.group, where.column, std::move(block)};
  }
  return held.block->at(found.row);
}

Result<std::shared_ptr<const ParquetBlock>> ParquetReader::blockOf(const Where& where,
                                                                   const ParquetFile::Place& found,
                                                                   ReadCounters& counters) {
  MILLRACE_ASSIGN_OR_RETURN(const ParquetParts* parts,
                            where.file->parts(where.column, found.group, m_unpacker));
  const auto after = std::upper_bound(
      parts->data.begin(), parts->data.end(), found.row,
      [](std::uint32_t wanted, const ParquetPart& part) { return wanted < part.firstRow; });
  const auto number = static_cast<std::uint32_t>(after - parts->data.begin()) - 1;
  const ParquetCache::Key key{where.number, found.group, static_cast<std::uint32_t>(where.column),
                              number};
  MILLRACE_ASSIGN_OR_RETURN(const auto item, m_cache.get(key, [&] {
    return loadBlock(where, found.group, *parts, parts->data[number], counters);
  }));
  return item.block;
}

Status ParquetReader::readPages(const Where& where, const ParquetPart& part,
                                ReadCounters& counters) {
  if (part.bytes > RangeReader::kLargest)
    return Error{fmt::format("its page has {} bytes; at most {} are supported", grouped(part.bytes),
                             grouped(RangeReader::kLargest))};
  const std::span<std::byte> to(m_pages.reserve(part.bytes), part.bytes);
  return m_reader.readTo(where.file->descriptor(), part.begin, to, counters);
}

Result<ParquetCache::Item> ParquetReader::loadDictionary(const Where& where, std::uint32_t group,
                                                         const ParquetPart& part,
                                                         ReadCounters& counters) {
  MILLRACE_TRY(readPages(where, part, counters));
  const ParquetFooter& footer = where.file->footer();
  MILLRACE_ASSIGN_OR_RETURN(
      auto values, decodeParquetDictionary(footer.columns[where.column],
                                           footer.groups[group].chunks[where.column].codec, part,
                                           m_pages, m_unpacker));
  return Item{nullptr, std::move(values)};
}

Result<ParquetCache::Item> ParquetReader::loadBlock(const Where& where, std::uint32_t group,
                                                    const ParquetParts& parts,
                                                    const ParquetPart& part,
                                                    ReadCounters& counters) {
  std::shared_ptr<const ParquetValues> dictionary;
  if (parts.dictionary) {
    const ParquetCache::Key key{where.number, group, static_cast<std::uint32_t>(where.column),
                                ParquetCache::Key::kDictionary};
    MILLRACE_ASSIGN_OR_RETURN(auto item, m_cache.get(key, [&] {
      return loadDictionary(where, group, *parts.dictionary, counters);
    }));
    dictionary = std::move(item.dictionary);
  }
  MILLRACE_TRY(readPages(where, part, counters));
  const ParquetFooter& footer = where.file->footer();
  const ParquetCodec codec = footer.groups[group].chunks[where.column].codec;
  MILLRACE_ASSIGN_OR_RETURN(auto block,
                            ParquetBlock::decode(footer.columns[where.column], codec, part, m_pages,
                                                 std::move(dictionary), m_unpacker));
  return Item{std::make_shared<const ParquetBlock>(std::move(block)), nullptr};
}

std::size_t ParquetReader::keptBytes() const {
  std::size_t bytes = m_reader.keptBytes() + m_pages.capacity();
  for (const Held& held : m_held)
    if (held.block) bytes += held.block->bytes();
  return bytes;
}

}  // namespace millrace
