// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lmdb/lmdb_file.h"

#include <array>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/open_file.h"
#include "core/formats/lmdb/lmdb_page.h"

namespace millrace {

namespace {

constexpr std::uint32_t kLmdbMagic = 0xbeefc0de;
constexpr std::uint64_t kMetaBytes = 136;

bool isPageSize(std::uint64_t size) {
  return size >= 512 && size <= 65536 && (size & (size - 1)) == 0;
}

/// Parses the meta page at `offset`; nullopt if it is invalid.
std::optional<LmdbSnapshot> headAt(int fd, std::uint64_t offset, std::uint64_t size) {
  std::array<std::byte, kLmdbPageHead + kMetaBytes> bytes{};
  const auto got = readAt(fd, offset, bytes.data(), bytes.size());
  if (!got || *got < bytes.size()) return std::nullopt;
  const LmdbFields page(bytes.data());
  const LmdbFields meta(bytes.data() + kLmdbPageHead);
  if ((page.u16(10) & kLmdbMeta) == 0 || meta.u32(0) != kLmdbMagic || meta.u32(4) != 1)
    return std::nullopt;
  LmdbSnapshot found;
  found.pageSize = meta.u32(24);
  found.entries = meta.u64(72 + 32);
  found.root = meta.u64(72 + 40);
  found.transaction = meta.u64(128);
  if (!isPageSize(found.pageSize)) return std::nullopt;
  if (found.root != LmdbSnapshot::kNoPage && found.root >= size / found.pageSize)
    return std::nullopt;
  return found;
}

Error changed() {
  return Error{
      "a writer has changed the database since it was opened; wait for it and start again, or "
      "read a copy (mdb_copy)"};
}

/// Whether the page at `begin` is the first one of a value with its own pages.
Status checkOwnPages(const std::byte* head, std::uint64_t begin, const LmdbSnapshot& snapshot,
                     const LmdbListing::Place& place) {
  const LmdbFields page(head);
  const std::uint64_t pages = page.u32(12);
  if (page.u64(0) == begin / snapshot.pageSize && (page.u16(10) & kLmdbOverflow) != 0 &&
      pages * snapshot.pageSize >= kLmdbPageHead + place.size)
    return {};
  return Error{fmt::format("its pages, from byte {} on, are damaged", grouped(begin))};
}

}  // namespace

Result<LmdbSnapshot> openLmdb(int fd, std::uint64_t size) {
  const auto first = headAt(fd, 0, size);
  std::optional<LmdbSnapshot> second;
  std::uint64_t pageSize = first ? first->pageSize : 0;
  // If the first meta page is damaged, the second one is found by trying page sizes.
  for (const std::uint64_t tried : {4096U, 16384U, 65536U, 8192U, 32768U, 2048U, 1024U, 512U}) {
    if (pageSize != 0 && tried != pageSize) continue;
    second = headAt(fd, tried, size);
    if (second && second->pageSize == tried) break;
    second.reset();
  }
  if (!first && !second)
    return Error{
        "neither of its two meta pages is valid for LMDB version 1 (64 bits, little-endian)"};
  const bool newer = second && (!first || second->transaction > first->transaction);
  LmdbSnapshot found = newer ? *second : *first;
  found.nextHead = (newer ? 0 : found.pageSize) + kLmdbPageHead + 128;
  return found;
}

/// Checks the transaction number that the next commit overwrites. LMDB frees the pages of a state
/// in the following transaction and reuses them in the one after that, so nothing of a state is
/// overwritten until another transaction has been committed.
Status checkUnchanged(int fd, const LmdbSnapshot& snapshot) {
  std::uint64_t number = 0;
  MILLRACE_ASSIGN_OR_RETURN(const auto got, readAt(fd, snapshot.nextHead, &number, sizeof number));
  // The number in an invalid meta page has no meaning; only a change of it would.
  if (got == sizeof number && number > snapshot.transaction &&
      number - snapshot.transaction < (std::uint64_t{1} << 40U))
    return changed();
  return {};
}

Result<std::span<std::byte>> readLmdbValue(RangeReader& reader, int fd,
                                           const LmdbSnapshot& snapshot,
                                           const LmdbListing::Place& place, ReadCounters& counters,
                                           Sample::Room room) {
  // Short values share a page: read the page, which then serves the values after it too.
  const std::uint64_t before = place.ownPages ? kLmdbPageHead : place.offset % snapshot.pageSize;
  const std::uint64_t begin = place.offset - before;
  const std::uint64_t count = place.ownPages ? before + place.size : snapshot.pageSize;
  MILLRACE_ASSIGN_OR_RETURN(
      const auto bytes, reader.read(fd, begin, static_cast<std::size_t>(count), counters, room));
  MILLRACE_TRY(checkUnchanged(fd, snapshot));
  if (place.ownPages) MILLRACE_TRY(checkOwnPages(bytes.data(), begin, snapshot, place));
  return bytes.subspan(static_cast<std::size_t>(before), place.size);
}

Status readLmdbValueTo(RangeReader& reader, int fd, const LmdbSnapshot& snapshot,
                       const LmdbListing::Place& place, std::byte* to, ReadCounters& counters) {
  if (reader.by() == ReadBy::Direct) {
    // Reads of whole blocks are copied anyway, and include the header.
    MILLRACE_ASSIGN_OR_RETURN(const auto value,
                              readLmdbValue(reader, fd, snapshot, place, counters));
    if (!value.empty()) std::memcpy(to, value.data(), value.size());
    return {};
  }
  MILLRACE_TRY(reader.readTo(fd, place.offset, {to, place.size}, counters));
  if (place.ownPages) {
    std::array<std::byte, kLmdbPageHead> head{};
    const std::uint64_t begin = place.offset - kLmdbPageHead;
    MILLRACE_TRY(readAt(fd, begin, head.data(), head.size()));
    MILLRACE_TRY(checkOwnPages(head.data(), begin, snapshot, place));
  }
  return checkUnchanged(fd, snapshot);
}

}  // namespace millrace
