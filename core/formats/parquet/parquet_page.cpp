// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/parquet/parquet_page.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/parquet/thrift_reader.h"

namespace millrace {

namespace {

/// The stored numbers of a page's header.
struct StoredPage {
  std::int64_t kind = -1;
  std::int64_t bytes = -1;
  std::int64_t packedBytes = -1;
  std::optional<std::int64_t> crc;
  std::int64_t values = -1;
  std::int64_t encoding = -1;
  std::int64_t levelEncoding = -1;
  std::int64_t repetitionEncoding = -1;
  std::int64_t rows = 0;
  std::int64_t definitionBytes = 0;
  std::int64_t repetitionBytes = 0;
  bool packed = true;
};

bool readVersion1(ThriftReader& thrift, int id, ThriftType type, StoredPage& page) {
  switch (id) {
    case 1: return thrift.integer(type, page.values);
    case 2: return thrift.integer(type, page.encoding);
    case 3: return thrift.integer(type, page.levelEncoding);
    case 4: return thrift.integer(type, page.repetitionEncoding);
    default: return false;
  }
}

bool readVersion2(ThriftReader& thrift, int id, ThriftType type, StoredPage& page) {
  switch (id) {
    case 1: return thrift.integer(type, page.values);
    case 3: return thrift.integer(type, page.rows);
    case 4: return thrift.integer(type, page.encoding);
    case 5: return thrift.integer(type, page.definitionBytes);
    case 6: return thrift.integer(type, page.repetitionBytes);
    case 7: return thrift.boolean(type, page.packed);
    default: return false;
  }
}

bool readPageField(ThriftReader& thrift, int id, ThriftType type, StoredPage& page) {
  switch (id) {
    case 1: return thrift.integer(type, page.kind);
    case 2: return thrift.integer(type, page.bytes);
    case 3: return thrift.integer(type, page.packedBytes);
    case 4: return thrift.integer(type, page.crc.emplace(0));
    case 5:
      return thrift.structure(type, [&](int field, ThriftType value) {
        return readVersion1(thrift, field, value, page);
      });
    case 7:
      return thrift.structure(type, [&](int field, ThriftType value) {
        return field <= 2 && readVersion1(thrift, field, value, page);
      });
    case 8:
      return thrift.structure(type, [&](int field, ThriftType value) {
        return readVersion2(thrift, field, value, page);
      });
    default: return false;
  }
}

bool isPossible(const StoredPage& page) {
  const auto within = [](std::int64_t number, std::int64_t most) {
    return number >= 0 && number <= most;
  };
  return within(page.kind, 3) && within(page.bytes, ParquetPage::kLargest) &&
         within(page.packedBytes, ParquetPage::kLargest) && (page.kind == 1 || page.values >= 0) &&
         within(page.definitionBytes, page.packedBytes) &&
         within(page.repetitionBytes, page.packedBytes - page.definitionBytes) &&
         page.definitionBytes + page.repetitionBytes <= page.bytes;
}

}  // namespace

Result<std::optional<ParquetPage>> parseParquetPage(std::span<const std::byte> bytes) {
  ThriftReader thrift(bytes);
  StoredPage stored;
  thrift.fields([&](int id, ThriftType type) { return readPageField(thrift, id, type, stored); });
  if (thrift.cut()) return std::optional<ParquetPage>();
  if (!thrift.ok() || !isPossible(stored)) return Error{"a page's header is damaged"};
  if (stored.values > ParquetPage::kMostValues)
    return Error{fmt::format("a page has {} values; at most {} are supported",
                             grouped(static_cast<std::uint64_t>(stored.values)),
                             grouped(ParquetPage::kMostValues))};
  ParquetPage page;
  page.kind = static_cast<ParquetPage::Kind>(stored.kind);
  page.headBytes = static_cast<std::uint32_t>(thrift.taken());
  page.packedBytes = static_cast<std::uint32_t>(stored.packedBytes);
  page.bytes = static_cast<std::uint32_t>(stored.bytes);
  if (stored.crc) page.crc = static_cast<std::uint32_t>(*stored.crc);
  page.values = static_cast<std::uint32_t>(std::max<std::int64_t>(stored.values, 0));
  page.encoding = static_cast<int>(stored.encoding);
  page.levelEncoding = static_cast<int>(stored.levelEncoding);
  page.repetitionEncoding = static_cast<int>(stored.repetitionEncoding);
  page.rows = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(stored.rows, 0, ParquetPage::kMostValues));
  page.definitionBytes = static_cast<std::uint32_t>(stored.definitionBytes);
  page.repetitionBytes = static_cast<std::uint32_t>(stored.repetitionBytes);
  page.packed = stored.packed;
  return std::optional(page);
}

}  // namespace millrace
