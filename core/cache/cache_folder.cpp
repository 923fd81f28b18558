// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/cache/cache_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/whole_file.h"
#include "core/formats/io/file_error.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "lock";
constexpr const char* kAbout = "about.txt";

bool consistsOf(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

bool isCacheName(std::string_view name) {
  return name.size() == 16 && consistsOf(name, "0123456789abcdef");
}

/// Other files in a cache's folder are neither counted nor removed.
bool isCacheFile(std::string_view name) {
  if (name == kLock || name == kAbout) return true;
  const std::size_t dot = name.find('.');
  if (dot != 5 || !consistsOf(name.substr(0, dot), "0123456789")) return false;
  return name.substr(dot) == ".records" || name.substr(dot) == ".index";
}

std::vector<fs::path> filesOf(const fs::path& cache) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator it(cache, error), end; !error && it != end; it.increment(error))
    if (isCacheFile(it->path().filename().native())) files.push_back(it->path());
  return files;
}

/// Whether the file name still refers to the open file.
bool isStill(const UniqueFd& fd, const fs::path& file) {
  struct stat open{};
  struct stat there{};
  return ::fstat(fd.get(), &open) == 0 && ::stat(file.c_str(), &there) == 0 &&
         open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

/// On a file system without locks everyone may read, and no one may remove.
void lockShared(const UniqueFd& fd) {
  while (::flock(fd.get(), LOCK_SH) != 0 && errno == EINTR) {
  }
}

Error noFolder(const fs::path& root, int errorNumber) {
  return Error{fmt::format(
      "the cache folder `{}` cannot be used: {}; set `path` to a folder that is writable",
      validUtf8(root.native()), reasonOf(errorNumber))};
}

Status makeFolder(const fs::path& root) {
  std::error_code error;
  fs::create_directories(root, error);
  if (error) return noFolder(root, error.value());
  if (::access(root.c_str(), R_OK | X_OK) != 0) return noFolder(root, errno);
  return {};
}

std::string cannotBeAdded(const fs::path& folder, int errorNumber) {
  return fmt::format("nothing can be stored in `{}`: {}; set `path` to a folder that is writable",
                     validUtf8(folder.native()), reasonOf(errorNumber));
}

/// False if the folder was removed meanwhile.
bool takeHold(HeldCache& held) {
  held.readOnly.clear();
  if (::mkdir(held.folder.c_str(), 0777) != 0 && errno != EEXIST) {
    held.readOnly = cannotBeAdded(held.folder, errno);
    return true;
  }
  const fs::path lock = held.folder / kLock;
  const int writable = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const int error = errno;
  held.lock = UniqueFd(writable);  // closes the previous attempt's file, which may change errno
  if (writable < 0) {
    if (error == ENOENT) return false;
    held.readOnly = cannotBeAdded(held.folder, error);
    held.lock = UniqueFd(::open(lock.c_str(), O_RDONLY | O_CLOEXEC));
    if (!held.lock.valid()) return true;
  }
  lockShared(held.lock);
  return isStill(held.lock, lock);
}

struct CacheOnDisk {
  fs::path folder;
  std::uint64_t bytes = 0;
  std::int64_t openedSeconds = 0;
  std::int64_t openedNs = 0;
};

CacheOnDisk lookAt(const fs::path& folder) {
  CacheOnDisk cache;
  cache.folder = folder;
  for (const fs::path& file : filesOf(folder)) {
    struct stat status{};
    if (::lstat(file.c_str(), &status) != 0) continue;
    cache.bytes += static_cast<std::uint64_t>(status.st_size);
    if (file.filename() != kLock) continue;
    cache.openedSeconds = status.st_mtim.tv_sec;
    cache.openedNs = status.st_mtim.tv_nsec;
  }
  return cache;
}

/// The caches, least recently opened first.
std::vector<CacheOnDisk> cachesIn(const fs::path& root) {
  std::vector<CacheOnDisk> caches;
  std::error_code error;
  for (fs::directory_iterator it(root, error), end; !error && it != end; it.increment(error))
    if (isCacheName(it->path().filename().native())) caches.push_back(lookAt(it->path()));
  std::sort(caches.begin(), caches.end(), [](const CacheOnDisk& a, const CacheOnDisk& b) {
    return std::tie(a.openedSeconds, a.openedNs) < std::tie(b.openedSeconds, b.openedNs);
  });
  return caches;
}

/// A cache that no process holds.
struct FreeCache {
  fs::path folder;
  UniqueFd lock;
};

/// The exclusive lock; invalid if another process holds the cache.
UniqueFd lockAlone(const fs::path& folder) {
  const fs::path name = folder / kLock;
  UniqueFd lock(::open(name.c_str(), O_RDWR | O_CLOEXEC));
  if (!lock.valid() || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 || !isStill(lock, name))
    return {};
  return lock;
}

/// Readers ignore records without an index, so indices are removed first and the lock last.
void removeCache(const FreeCache& cache) {
  std::vector<fs::path> files = filesOf(cache.folder);
  std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
    return (a.extension() == ".index") > (b.extension() == ".index");
  });
  for (const fs::path& file : files)
    if (file.filename() != kLock) ::unlink(file.c_str());
  ::unlink((cache.folder / kLock).c_str());
  ::rmdir(cache.folder.c_str());
}

/// How much may be written to the disk of `root` after `removed` bytes on it have been deleted.
std::uint64_t roomOnDisk(const fs::path& root, std::uint64_t removed) {
  struct statvfs disk{};
  if (::statvfs(root.c_str(), &disk) != 0) return 0;
  constexpr std::uint64_t kMostLeft = std::uint64_t{1} << 30U;
  const std::uint64_t left = std::min(kMostLeft, std::uint64_t{disk.f_blocks} * disk.f_frsize / 50);
  const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize + removed;
  return free > left ? free - left : 0;
}

}  // namespace

Result<HeldCache> holdCache(const fs::path& root, const std::string& name,
                            const std::string& about) {
  MILLRACE_TRY(makeFolder(root));
  HeldCache held;
  held.folder = root / name;
  // Each retry means that another process removed the cache between two of these steps.
  bool holds = false;
  for (int tries = 0; !holds && tries < 100; ++tries) holds = takeHold(held);
  if (!holds) return noFolder(held.folder, EBUSY);
  if (!held.readOnly.empty()) return held;
  ::futimens(held.lock.get(), nullptr);
  std::error_code error;
  if (!fs::exists(held.folder / kAbout, error))
    if (Status written = writeWholeFile(held.folder / kAbout, about, IfThere::Replace); !written)
      held.readOnly = written.error().message;
  return held;
}

std::uint64_t roomFor(std::uint64_t need, const fs::path& root, std::uint64_t limit) {
  constexpr std::uint64_t kMostAtATime = std::uint64_t{64} << 20U;
  const std::vector<CacheOnDisk> caches = cachesIn(root);
  std::uint64_t total = 0;
  for (const CacheOnDisk& cache : caches) total += cache.bytes;
  std::uint64_t removed = 0;
  const auto room = [&] {
    const std::uint64_t left = total - removed;
    return std::min(limit > left ? limit - left : 0, roomOnDisk(root, removed));
  };
  std::vector<FreeCache> chosen;
  for (auto oldest = caches.begin(); oldest != caches.end() && room() < need; ++oldest) {
    UniqueFd lock = lockAlone(oldest->folder);
    if (!lock.valid()) continue;
    removed += oldest->bytes;
    chosen.push_back({oldest->folder, std::move(lock)});
  }
  const std::uint64_t most = room();
  if (most < need) return 0;
  for (const FreeCache& cache : chosen) removeCache(cache);
  return std::min(most, std::max(need, std::min(limit / 16, kMostAtATime)));
}

}  // namespace millrace
