// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Lists the keys of an LMDB file by walking its tree.
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/open_file.h"
#include "core/formats/lmdb/lmdb_page.h"

namespace millrace {

namespace {

constexpr std::uint64_t kDatabaseBytes = 48;
constexpr std::uint64_t kNodeHead = 8;
/// A tree with 64-bit page numbers cannot be deeper (CURSOR_STACK in mdb.c).
constexpr int kDeepest = 32;

/// Node flags.
constexpr unsigned kBigData = 1;
constexpr unsigned kSubData = 2;
constexpr unsigned kDuplicates = 4;

/// A walk over a tree. Use once.
class TreeWalk {
 public:
  TreeWalk(int fd, std::uint64_t size, std::uint64_t pageSize)
      : m_fd(fd), m_pageSize(pageSize), m_pages(size / pageSize), m_seen(m_pages) {}

  Result<LmdbListing> list(std::uint64_t root) {
    if (root != LmdbSnapshot::kNoPage) MILLRACE_TRY(visit(root, 0));
    if (m_damaged > kMostDamageNotes)
      m_listing.note(fmt::format("{} damaged places in total", grouped(m_damaged)));
    return std::move(m_listing);
  }
  /// While the main database is walked, looks for the root of the one with this name.
  void lookFor(const std::string& database) { m_wanted = database; }
  std::optional<std::uint64_t> foundRoot() const { return m_foundRoot; }

 private:
  using Page = std::vector<std::byte>;

  void damaged(std::uint64_t page, std::string_view why) {
    if (m_damaged++ < kMostDamageNotes)
      m_listing.note(
          fmt::format("page {} {}: everything below it is left out", grouped(page), why));
  }

  /// Marks the pages as visited. Returns false, with a note, if one was visited before or is
  /// outside of the file.
  bool take(std::uint64_t page, std::uint64_t count) {
    if (page < 2 || page >= m_pages || count > m_pages - page) {
      damaged(page, "is after the end of the file");
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
    if (depth > kDeepest) return damaged(number, "is deeper than a tree can be"), Status();
    if (!take(number, 1)) return {};
    Page page(m_pageSize);
    MILLRACE_ASSIGN_OR_RETURN(const auto got,
                              readAt(m_fd, number * m_pageSize, page.data(), page.size()));
    const LmdbFields head(page.data());
    const unsigned kind = head.u16(10) & (kLmdbBranch | kLmdbLeaf);
    const std::size_t lower = head.u16(12);
    const bool sound = got == page.size() && head.u64(0) == number && lower >= kLmdbPageHead &&
                       lower <= head.u16(14) && head.u16(14) <= page.size() &&
                       (kind == kLmdbBranch || kind == kLmdbLeaf);
    if (!sound) return damaged(number, "is not a page of a tree"), Status();
    const std::size_t nodes = (lower - kLmdbPageHead) / 2;
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::size_t at = head.u16(kLmdbPageHead + 2 * i);
      if (at < lower || at + kNodeHead > page.size()) {
        damaged(number, "has an entry outside of it");
        continue;
      }
      MILLRACE_TRY(kind == kLmdbBranch ? visitChild(page, at, depth) : leaf(page, number, at));
    }
    return {};
  }

  Status visitChild(const Page& page, std::size_t at, int depth) {
    const LmdbFields node(page.data() + at);
    const std::uint64_t child = node.u32(0) | std::uint64_t{node.u16(4)} << 32U;
    return visit(child, depth + 1);
  }

  Status leaf(const Page& page, std::uint64_t number, std::size_t at) {
    const LmdbFields node(page.data() + at);
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
            fmt::format("key `{}` has several values, which is not supported", singleLine(key)));
      return {};
    }
    if (!m_wanted.empty()) return {};
    if ((flags & kBigData) == 0) {
      m_listing.append(key, {number * m_pageSize + value, static_cast<std::uint32_t>(size), false});
      return {};
    }
    const std::uint64_t first = littleEndian<std::uint64_t>(page.data() + value);
    if (!take(first, (kLmdbPageHead + size + m_pageSize - 1) / m_pageSize)) return {};
    m_listing.append(key,
                     {first * m_pageSize + kLmdbPageHead, static_cast<std::uint32_t>(size), true});
    return {};
  }

  void subDatabase(std::string_view key, const std::byte* value, std::uint64_t size) {
    m_listing.addDatabase(key);
    if (size == kDatabaseBytes && key == m_wanted) m_foundRoot = LmdbFields(value).u64(40);
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

}  // namespace

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
    MILLRACE_ASSIGN_OR_RETURN(const auto walked, main.list(root));
    if (!main.foundRoot()) {
      const auto& names = walked.databases();
      return Error{fmt::format("it has no database `{}`; {}", validUtf8(database),
                               names.empty() ? "it has only the main database"
                                             : "it has " + validUtf8(join(names, ", ")))};
    }
    root = *main.foundRoot();
  }
  TreeWalk walk(fd, size, snapshot.pageSize);
  auto listing = walk.list(root);
  if (!listing) return listing;
  MILLRACE_TRY(checkUnchanged(fd, snapshot));
  return listing;
}

}  // namespace millrace
