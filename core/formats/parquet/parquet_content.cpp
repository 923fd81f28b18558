// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_content.h"

#include <isa-l/crc.h>

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text/text.h"

namespace millrace {

namespace {

constexpr int kLevelRuns = 3;  ///< the number of the encoding RLE

Error levelsCut() { return Error{"its levels are cut off"}; }

/// Takes the levels of version 1 from the page's content: their length and bytes.
Result<std::span<const std::byte>> takeLevels(std::span<const std::byte>& content, bool present,
                                              int encoding) {
  constexpr std::size_t kLength = 4;
  if (!present) return std::span<const std::byte>();
  if (encoding != kLevelRuns)
    return Error{fmt::format("its levels have the encoding {}, which is not supported", encoding)};
  if (content.size() < kLength) return levelsCut();
  const auto length = littleEndian<std::uint32_t>(content.data());
  if (length > content.size() - kLength) return levelsCut();
  const auto levels = content.subspan(kLength, length);
  content = content.subspan(kLength + length);
  return levels;
}

/// Decompresses `packed` into opened.values.
Status unpackContent(ParquetCodec codec, std::span<const std::byte> packed, std::uint32_t bytes,
                     ParquetUnpacker& unpacker, ParquetContent& opened) {
  if (bytes == 0) return {};
  if (codec == ParquetCodec::Uncompressed) {
    if (packed.size() != bytes)
      return Error{fmt::format("its page has {} bytes instead of {}", grouped(packed.size()),
                               grouped(bytes))};
    opened.values = packed;
    opened.borrows = true;
    return {};
  }
  MILLRACE_ASSIGN_OR_RETURN(opened.memory, unpacker.unpack(codec, packed, bytes));
  opened.values = {opened.memory.data(), bytes};
  return {};
}

}  // namespace

Result<ParquetContent> openParquetPage(const ParquetColumn& column, ParquetCodec codec,
                                       const ParquetPage& page, std::span<const std::byte> bytes,
                                       ParquetUnpacker& unpacker) {
  ParquetContent opened;
  if (page.kind == ParquetPage::Kind::DataV2) {
    const std::uint32_t levels = page.repetitionBytes + page.definitionBytes;
    opened.repetitions = bytes.first(page.repetitionBytes);
    opened.definitions = bytes.subspan(page.repetitionBytes, page.definitionBytes);
    MILLRACE_TRY(unpackContent(page.packed ? codec : ParquetCodec::Uncompressed,
                               bytes.subspan(levels), page.bytes - levels, unpacker, opened));
    return opened;
  }
  MILLRACE_TRY(unpackContent(codec, bytes, page.bytes, unpacker, opened));
  MILLRACE_ASSIGN_OR_RETURN(opened.repetitions, takeLevels(opened.values, column.repetition > 0,
                                                           page.repetitionEncoding));
  MILLRACE_ASSIGN_OR_RETURN(opened.definitions,
                            takeLevels(opened.values, column.definition > 0, page.levelEncoding));
  return opened;
}

Status checkParquetSum(const ParquetPage& page, std::span<const std::byte> bytes) {
  if (!page.crc) return {};
  const std::uint32_t sum =
      crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  if (sum == *page.crc) return {};
  return Error{fmt::format("its page's checksum is {:08x}, not {:08x}", sum, *page.crc)};
}

ParquetLevels::ParquetLevels(std::span<const std::byte> bytes, unsigned highest)
    : m_highest(highest), m_runs(bytes, static_cast<unsigned>(std::bit_width(highest))) {}

Status ParquetLevels::read(std::span<std::uint32_t> to) {
  if (m_highest == 0) {
    std::fill(to.begin(), to.end(), 0);
    return {};
  }
  if (!m_runs.read(to)) return levelsCut();
  const std::uint32_t most = *std::max_element(to.begin(), to.end());
  if (most <= m_highest) return {};
  return Error{fmt::format("it has level {} above {}", most, m_highest)};
}

}  // namespace millrace
