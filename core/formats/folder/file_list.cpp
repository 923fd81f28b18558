// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/folder/file_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/formats/folder/folder_names.h"
#include "core/formats/io/data_place.h"
#include "core/formats/io/file_error.h"
#include "core/formats/io/unique_fd.h"
#include "core/storage/remote_listing.h"
#include "core/storage/remote_path.h"

namespace millrace {

namespace {

/// Consecutive paths that were read from a list.
struct ReadPaths {
  std::uint64_t list = 0;
  std::uint64_t begin = 0;
  std::string text;
};

constexpr std::size_t kMaxDepth = 128;
constexpr int kOpenFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

struct FolderId {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FolderId&) const = default;
};

Error noFileIn(const std::filesystem::path& start, const JunkCount& junk, const ListingRule& rule) {
  const std::string folder = validUtf8(start.native());
  if (junk.count() == 0)
    return Error{
        fmt::format("the folder `{}` contains no file; give the folder of the data set", folder)};
  return Error{fmt::format("the folder `{}` contains no data: {}", folder, junk.note(rule.remedy))};
}

constexpr std::uint64_t kMostFiles = std::numeric_limits<std::uint32_t>::max();

Error tooManyFiles() { return Error{"more than 4 294 967 295 files; give a smaller folder"}; }

/// Walks a folder. One thread; use once.
class Walk {
 public:
  Walk(const std::filesystem::path& root, const ListingRule& rule) : m_list(root), m_rule(rule) {}

  Result<FileList> run(const std::string& below) {
    const std::filesystem::path start = m_list.root() / below;
    UniqueFd fd(::open(start.c_str(), kOpenFolder));
    if (!fd.valid()) return folderError(start, errno);
    rememberAbove(start);
    MILLRACE_TRY(folder(std::move(fd), below.empty() ? "" : below + "/"));
    if (m_list.size() == 0) return noFileIn(start, m_junk, m_rule);
    writeNotes();
    m_list.shrink();
    return std::move(m_list);
  }

 private:
  /// Records the folders above the start: following a link to one of them would list the start
  /// again.
  void rememberAbove(const std::filesystem::path& start) {
    std::error_code ignored;
    std::filesystem::path at = std::filesystem::canonical(start, ignored);
    while (at.has_relative_path()) {
      at = at.parent_path();
      struct stat status{};
      if (::stat(at.c_str(), &status) == 0) m_above.push_back({status.st_dev, status.st_ino});
    }
  }

  Status folder(UniqueFd fd, const std::string& path) {
    struct stat status{};
    if (::fstat(fd.get(), &status) != 0) return folderError(m_list.root() / path, errno);
    const FolderId id{status.st_dev, status.st_ino};
    if (std::find(m_above.begin(), m_above.end(), id) != m_above.end()) {
      countSkip(m_loops, path);
      return {};
    }
    if (m_depth == kMaxDepth)
      return Error{fmt::format("`{}` is more than {} folders deep; give a folder nearer to it",
                               path, kMaxDepth)};
    m_above.push_back(id);
    ++m_depth;
    Status done = contents(fd.get(), path);
    --m_depth;
    m_above.pop_back();
    return done;
  }

  Status contents(int fd, const std::string& path) {
    FolderNames names;
    MILLRACE_TRY(readNames(fd, path, names));
    names.sort();
    while (const auto name = names.next()) {
      if (name->back() != '/') {
        if (m_list.size() == kMostFiles) return tooManyFiles();
        m_list.append(path, *name);
        continue;
      }
      UniqueFd next(::openat(fd, name->data(), kOpenFolder));
      const std::string below = path + std::string(*name);
      if (!next.valid()) return folderError(m_list.root() / below, errno);
      MILLRACE_TRY(folder(std::move(next), below));
    }
    return {};
  }

  Status readNames(int fd, const std::string& path, FolderNames& names) {
    struct Close {
      void operator()(DIR* folder) const { ::closedir(folder); }
    };
    UniqueFd own(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    const std::unique_ptr<DIR, Close> open(own.valid() ? ::fdopendir(own.get()) : nullptr);
    if (!open) return folderError(m_list.root() / path, errno);
    own.release();
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(open.get());
      if (entry == nullptr) break;
      const char* name = entry->d_name;
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
      const unsigned char type = typeOf(fd, path, *entry);
      if (type == DT_UNKNOWN) continue;
      if (type != DT_REG && type != DT_DIR) {
        countSkip(m_special, path + name);
        continue;
      }
      if (type == DT_DIR ? m_rule.skipsFolder(name) : m_rule.skipsFile(name))
        m_junk.add(name);
      else
        names.add(name, type == DT_DIR);
    }
    if (errno != 0) return folderError(m_list.root() / path, errno);
    return {};
  }

  /// The entry's type, following links.
  unsigned char typeOf(int fd, const std::string& path, const dirent& entry) {
    if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return entry.d_type;
    struct stat status{};
    if (::fstatat(fd, entry.d_name, &status, 0) != 0) {
      countSkip(m_dangling, path + entry.d_name);
      return DT_UNKNOWN;
    }
    if (S_ISDIR(status.st_mode)) return DT_DIR;
    if (S_ISREG(status.st_mode)) return DT_REG;
    countSkip(m_special, path + entry.d_name);
    return DT_UNKNOWN;
  }

  struct Skips {
    std::size_t count = 0;
    std::string first;
  };

  static void countSkip(Skips& skips, const std::string& path) {
    if (skips.count++ == 0) skips.first = path;
  }

  void writeNotes() {
    if (m_junk.count() > 0) m_list.note(m_junk.note(m_rule.remedy));
    if (m_loops.count > 0)
      m_list.note(fmt::format("{} left out: link to a folder above it; first: {}", m_loops.count,
                              m_loops.first));
    if (m_dangling.count > 0)
      m_list.note(
          fmt::format("{} left out: broken link; first: {}", m_dangling.count, m_dangling.first));
    if (m_special.count > 0)
      m_list.note(fmt::format("{} left out: pipe, socket or device; first: {}", m_special.count,
                              m_special.first));
  }

  FileList m_list;
  const ListingRule m_rule;
  JunkCount m_junk;
  std::vector<FolderId> m_above;
  std::size_t m_depth = 0;
  Skips m_loops;
  Skips m_dangling;
  Skips m_special;
};

}  // namespace

void FileList::append(std::string_view folder, std::string_view name) {
  if (m_size++ % kTogether == 0) m_begins.push_back(m_text.size());
  const auto bytes = [](std::string_view text) { return std::as_bytes(std::span(text)); };
  m_text.append(bytes(folder));
  m_text.append(bytes(name));
  m_text.append(bytes(std::string_view("\0", 1)));
}

void FileList::shrink() { m_begins.shrink_to_fit(); }

std::string FileList::path(std::size_t i) const {
  std::string made;
  path(i, made);
  return made;
}

void FileList::path(std::size_t i, std::string& into) const {
  const std::size_t group = i / kTogether;
  const std::uint64_t begin = m_begins[group];
  const std::uint64_t end = group + 1 < m_begins.size() ? m_begins[group + 1] : m_text.size();
  const std::span<const std::byte> all = m_text.inMemory();
  const char* text =
      all.empty() ? readTogether(begin, end) : reinterpret_cast<const char*>(all.data()) + begin;
  for (std::size_t k = 0; k < i % kTogether; ++k) text += std::strlen(text) + 1;
  into.assign(text);
}

/// Paths from the file, valid until this thread reads others.
const char* FileList::readTogether(std::uint64_t begin, std::uint64_t end) const {
  // Most callers ask for one path after the other, and several times for the same one.
  thread_local std::array<ReadPaths, 4> kept;
  ReadPaths& paths = kept[m_number % kept.size()];
  if (paths.list != m_number || paths.begin != begin || paths.text.size() != end - begin) {
    paths.list = m_number;
    paths.begin = begin;
    paths.text.resize(end - begin);
    m_text.read(begin, std::as_writable_bytes(std::span(paths.text)));
  }
  return paths.text.c_str();
}

std::uint64_t FileList::newNumber() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

std::size_t FileList::memoryBytes() const {
  return m_text.bytesInMemory() + m_begins.capacity() * sizeof(std::uint64_t);
}

namespace {

/// Whether the rule skips one of the folders of a path, or its file.
bool skips(const ListingRule& rule, std::string_view path) {
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/')) {
    if (rule.skipsFolder(path.substr(0, slash))) return true;
    path.remove_prefix(slash + 1);
  }
  return rule.skipsFile(path);
}

/// What `Walk` lists, at a server.
Result<FileList> listAtServer(const std::filesystem::path& root, const std::string& below,
                              const ListingRule& rule) {
  const std::filesystem::path start = below.empty() ? root : pathIn(root, below);
  FolderNames names;
  JunkCount junk;
  std::uint64_t count = 0;
  MILLRACE_TRY(listRemote(start.native(), [&](std::string_view path, std::uint64_t) {
    if (skips(rule, path))
      junk.add(path);
    else if (path.find('\0') == std::string_view::npos && ++count <= kMostFiles)
      names.add(path, false);
    return count <= kMostFiles;
  }));
  if (count > kMostFiles) return tooManyFiles();
  names.sort();
  FileList list(root);
  while (const auto name = names.next()) list.append(below.empty() ? "" : below + "/", *name);
  if (list.size() == 0) return noFileIn(start, junk, rule);
  if (junk.count() > 0) list.note(junk.note(rule.remedy));
  list.shrink();
  return list;
}

Result<FileList> list(const std::filesystem::path& root, const std::string& below,
                      const ListingRule& rule) {
  return isRemotePath(root.native()) ? listAtServer(root, below, rule)
                                     : Walk(root, rule).run(below);
}

}  // namespace

Result<FileList> listFiles(const std::filesystem::path& root, const std::string& below,
                           const ListingRule& rule) {
  auto listed = list(root, below, rule);
  if (listed || !rule.pictures || rule.junk == Junk::Keep) return listed;
  // Texts are junk only next to pictures.
  ListingRule texts = rule;
  texts.pictures = false;
  auto all = list(root, below, texts);
  return all ? std::move(all) : std::move(listed);
}

std::vector<std::string> listFolders(const std::filesystem::path& folder, Junk junk) {
  std::vector<std::string> names;
  if (isRemotePath(folder.native())) {
    auto found = remoteFolder(folder.native(), SIZE_MAX);
    if (!found) return names;
    for (std::string& name : found->folders)
      if (junk == Junk::Keep || !isJunkFolder(name)) names.push_back(std::move(name));
    std::sort(names.begin(), names.end());
    return names;
  }
  std::error_code ignored;
  for (std::filesystem::directory_iterator at(folder, ignored), end; at != end;
       at.increment(ignored))
    if (const std::string name = at->path().filename().native();
        at->is_directory(ignored) && (junk == Junk::Keep || !isJunkFolder(name)))
      names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> foldersFor(std::string_view file, const std::filesystem::path& folder) {
  const std::string table = lowerCase(file);
  std::vector<std::string> names = listFolders(folder);
  std::ranges::stable_sort(names, std::greater(), [&](const std::string& name) {
    const std::string low = lowerCase(name);
    const bool within = table.find(low) != std::string::npos;
    return std::tuple(within ? low.size() : 0,
                      std::ranges::mismatch(table, low).in1 - table.begin(),
                      low.find("train") != std::string::npos);
  });
  return names;
}

}  // namespace millrace
