// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/lmdb_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/little_endian.h"
#include "core/base/text.h"
#include "core/formats/file_error.h"
#include "core/formats/open_file.h"

namespace millrace {

namespace {

constexpr std::uint32_t kLmdbMagic = 0xbeefc0de;
constexpr std::uint64_t kPageHead = 16;
constexpr std::uint64_t kMetaBytes = 136;
constexpr std::uint64_t kDatabaseBytes = 48;
constexpr std::uint64_t kNodeHead = 8;
/// A tree of 64-bit page numbers is never deeper (CURSOR_STACK in mdb.c).
constexpr int kDeepest = 32;

constexpr unsigned kBranch = 1;
constexpr unsigned kLeaf = 2;
constexpr unsigned kOverflow = 4;
constexpr unsigned kMeta = 8;
constexpr unsigned kBigData = 1;
constexpr unsigned kSubData = 2;
constexpr unsigned kDuplicates = 4;

/// Numbers within a record whose size was checked.
class Fields {
 public:
  explicit Fields(const std::byte* bytes) : m_bytes(bytes) {}
  std::uint64_t u64(std::size_t at) const { return littleEndian<std::uint64_t>(m_bytes + at); }
  std::uint32_t u32(std::size_t at) const { return littleEndian<std::uint32_t>(m_bytes + at); }
  unsigned u16(std::size_t at) const { return littleEndian<std::uint16_t>(m_bytes + at); }

 private:
  const std::byte* m_bytes;
};

bool isPageSize(std::uint64_t size) {
  return size >= 512 && size <= 65536 && (size & (size - 1)) == 0;
}

/// The head in the page at `offset`; nothing where there is no sound one.
std::optional<LmdbSnapshot> headAt(int fd, std::uint64_t offset, std::uint64_t size) {
  std::array<std::byte, kPageHead + kMetaBytes> bytes{};
  const auto got = readAt(fd, offset, bytes.data(), bytes.size());
  if (!got || *got < bytes.size()) return std::nullopt;
  const Fields page(bytes.data());
  const Fields meta(bytes.data() + kPageHead);
  if ((page.u16(10) & kMeta) == 0 || meta.u32(0) != kLmdbMagic || meta.u32(4) != 1)
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

/// One walk over a tree. One use.
class TreeWalk {
 public:
  TreeWalk(int fd, std::uint64_t size, std::uint64_t pageSize)
      : m_fd(fd), m_pageSize(pageSize), m_pages(size / pageSize), m_seen(m_pages) {}

  Result<LmdbListing> list(std::uint64_t root) {
    if (root != LmdbSnapshot::kNoPage) MILLRACE_TRY(visit(root, 0));
    if (m_damaged > kMostDamageNotes)
      m_listing.note(fmt::format("{} damaged places in all", grouped(m_damaged)));
    return std::move(m_listing);
  }
  /// Where the database of that name begins, while the main one is walked.
  void lookFor(const std::string& database) { m_wanted = database; }
  std::optional<std::uint64_t> foundRoot() const { return m_foundRoot; }

 private:
  using Page = std::vector<std::byte>;

  void damaged(std::uint64_t page, std::string_view why) {
    if (m_damaged++ < kMostDamageNotes)
      m_listing.note(fmt::format("page {} {}: what hangs on it is left out", grouped(page), why));
  }

  /// False, and a note, where the page was seen before or is not in the file.
  bool take(std::uint64_t page, std::uint64_t count) {
    if (page < 2 || page >= m_pages || count > m_pages - page) {
      damaged(page, "lies behind the end of the file");
      return false;
    }
    for (std::uint64_t i = page; i < page + count; ++i) {
      if (m_seen[i]) {
        damaged(page, "is used twice");
        return false;
      }
    }
    for (std::uint64_t i = page; i < page + count; ++i) m_seen[i] = true;
    return true;
  }

  Status visit(std::uint64_t number, int depth) {
    if (depth > kDeepest) return damaged(number, "lies deeper than a tree can be"), Status();
    if (!take(number, 1)) return {};
    Page page(m_pageSize);
    const auto got = readAt(m_fd, number * m_pageSize, page.data(), page.size());
    if (!got) return got.error();
    const Fields head(page.data());
    const unsigned flags = head.u16(10);
    const std::size_t lower = head.u16(12);
    const bool sound =
        *got == page.size() && head.u64(0) == number && lower >= kPageHead &&
        lower <= head.u16(14) && head.u16(14) <= page.size() &&
        ((flags & (kBranch | kLeaf)) == kBranch || (flags & (kBranch | kLeaf)) == kLeaf);
    if (!sound) return damaged(number, "is none of a tree"), Status();
    const std::size_t nodes = (lower - kPageHead) / 2;
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::size_t at = head.u16(kPageHead + 2 * i);
      if (at < lower || at + kNodeHead > page.size()) {
        damaged(number, "has an entry outside of it");
        continue;
      }
      MILLRACE_TRY((flags & kBranch) != 0 ? visitChild(page, at, depth) : leaf(page, number, at));
    }
    return {};
  }

  Status visitChild(const Page& page, std::size_t at, int depth) {
    const Fields node(page.data() + at);
    const std::uint64_t child = node.u32(0) | std::uint64_t{node.u16(4)} << 32U;
    return visit(child, depth + 1);
  }

  Status leaf(const Page& page, std::uint64_t number, std::size_t at) {
    const Fields node(page.data() + at);
    const std::uint64_t size = node.u32(0);
    const unsigned flags = node.u16(4);
    const std::size_t keySize = node.u16(6);
    const std::size_t value = at + kNodeHead + keySize;
    const std::uint64_t inPage = (flags & kBigData) != 0 ? 8 : size;
    if (value > page.size() || inPage > page.size() - value)
      return damaged(number, "has an entry outside of it"), Status();
    const std::string_view key(reinterpret_cast<const char*>(page.data()) + at + kNodeHead,
                               keySize);
    if ((flags & kSubData) != 0) return subDatabase(key, page.data() + value, size), Status();
    if ((flags & kDuplicates) != 0) {
      if (m_damaged++ < kMostDamageNotes)
        m_listing.note(
            fmt::format("key `{}` has several values, which are not read", singleLine(key)));
      return {};
    }
    if (!m_wanted.empty()) return {};
    if ((flags & kBigData) == 0) {
      m_listing.append(key, {number * m_pageSize + value, static_cast<std::uint32_t>(size), false});
      return {};
    }
    const std::uint64_t first = littleEndian<std::uint64_t>(page.data() + value);
    if (!take(first, (kPageHead + size + m_pageSize - 1) / m_pageSize)) return {};
    m_listing.append(key, {first * m_pageSize + kPageHead, static_cast<std::uint32_t>(size), true});
    return {};
  }

  void subDatabase(std::string_view key, const std::byte* value, std::uint64_t size) {
    m_listing.addDatabase(key);
    if (size == kDatabaseBytes && key == m_wanted) m_foundRoot = Fields(value).u64(40);
  }

  const int m_fd;
  const std::uint64_t m_pageSize;
  const std::uint64_t m_pages;
  std::vector<bool> m_seen;
  std::string m_wanted;
  std::optional<std::uint64_t> m_foundRoot;
  LmdbListing m_listing;
  std::uint64_t m_damaged = 0;
};

Error changed() {
  return Error{
      "a writer has changed the database since it was opened; let it finish and start again, or "
      "read a copy (mdb_copy)"};
}

/// The number that the next commit changes. LMDB frees pages of a state in the transaction that
/// follows it and uses them again in the one after that, so nothing of a state is overwritten while
/// no transaction has followed.
Status unchanged(int fd, const LmdbSnapshot& snapshot) {
  std::uint64_t number = 0;
  const auto got = readAt(fd, snapshot.nextHead, &number, sizeof number);
  if (!got) return got.error();
  // An unsound second head has no meaning, only a change of it would.
  if (*got == sizeof number && number > snapshot.transaction &&
      number - snapshot.transaction < (std::uint64_t{1} << 40U))
    return changed();
  return {};
}

}  // namespace

bool isLmdbHead(std::span<const std::byte> bytes) {
  return bytes.size() >= kPageHead + 8 && Fields(bytes.data()).u32(kPageHead) == kLmdbMagic;
}

Result<LmdbSnapshot> openLmdb(int fd, std::uint64_t size) {
  const auto first = headAt(fd, 0, size);
  std::optional<LmdbSnapshot> second;
  std::uint64_t pageSize = first ? first->pageSize : 0;
  // Where the first head is damaged, the second says which page size puts it where it is.
  for (const std::uint64_t tried : {4096, 16384, 65536, 8192, 32768, 2048, 1024, 512}) {
    if (pageSize != 0 && tried != pageSize) continue;
    second = headAt(fd, tried, size);
    if (second && second->pageSize == tried) break;
    second.reset();
  }
  if (!first && !second)
    return Error{
        "neither of its two heads is a sound one of LMDB version 1 (64 bits, little-endian)"};
  const bool newer = second && (!first || second->transaction > first->transaction);
  LmdbSnapshot found = newer ? *second : *first;
  found.nextHead = (newer ? 0 : found.pageSize) + kPageHead + 128;
  return found;
}

void LmdbListing::append(std::string_view key, const Place& place) {
  m_text += key;
  m_starts.push_back(m_text.size());
  m_places.push_back(place);
}

void LmdbListing::note(std::string sentence) { m_notes.push_back(std::move(sentence)); }

Result<LmdbListing> listLmdb(int fd, std::uint64_t size, const LmdbSnapshot& snapshot,
                             const std::string& database) {
  std::uint64_t root = snapshot.root;
  if (!database.empty()) {
    TreeWalk main(fd, size, snapshot.pageSize);
    main.lookFor(database);
    const auto walked = main.list(root);
    if (!walked) return walked.error();
    if (!main.foundRoot()) {
      const auto& names = walked->databases();
      return Error{fmt::format(
          "it holds no database `{}`; {}", validUtf8(database),
          names.empty() ? "it has the main one alone" : "it has " + validUtf8(join(names, ", ")))};
    }
    root = *main.foundRoot();
  }
  TreeWalk walk(fd, size, snapshot.pageSize);
  auto listing = walk.list(root);
  if (!listing) return listing;
  MILLRACE_TRY(unchanged(fd, snapshot));
  return listing;
}

namespace {

/// Whether the page at `begin` is the first of a value with pages of its own.
Status checkOwnPages(const std::byte* head, std::uint64_t begin, const LmdbSnapshot& snapshot,
                     const LmdbListing::Place& place) {
  const Fields page(head);
  const std::uint64_t pages = page.u32(12);
  if (page.u64(0) == begin / snapshot.pageSize && (page.u16(10) & kOverflow) != 0 &&
      pages * snapshot.pageSize >= kPageHead + place.size)
    return {};
  return Error{fmt::format("its pages, from byte {} on, are damaged", grouped(begin))};
}

}  // namespace

Result<std::span<std::byte>> readLmdbValue(RangeReader& reader, int fd,
                                           const LmdbSnapshot& snapshot,
                                           const LmdbListing::Place& place,
                                           ReadCounters& counters) {
  // Short values share a page, which is then read once for those that follow.
  const std::uint64_t before = place.ownPages ? kPageHead : place.offset % snapshot.pageSize;
  const std::uint64_t begin = place.offset - before;
  const std::uint64_t count = place.ownPages ? before + place.size : snapshot.pageSize;
  const auto bytes = reader.read(fd, begin, static_cast<std::size_t>(count), counters);
  if (!bytes) return bytes.error();
  MILLRACE_TRY(unchanged(fd, snapshot));
  if (place.ownPages) MILLRACE_TRY(checkOwnPages(bytes->data(), begin, snapshot, place));
  return bytes->subspan(static_cast<std::size_t>(before), place.size);
}

Status readLmdbValueTo(RangeReader& reader, int fd, const LmdbSnapshot& snapshot,
                       const LmdbListing::Place& place, std::byte* to, ReadCounters& counters) {
  MILLRACE_TRY(reader.readTo(fd, place.offset, {to, place.size}, counters));
  if (place.ownPages) {
    std::array<std::byte, kPageHead> head{};
    const std::uint64_t begin = place.offset - kPageHead;
    const auto got = readAt(fd, begin, head.data(), head.size());
    if (!got) return got.error();
    MILLRACE_TRY(checkOwnPages(head.data(), begin, snapshot, place));
  }
  return unchanged(fd, snapshot);
}

}  // namespace millrace
