// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/sample_data/sample_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "core/sample_data/sample_maker.h"

namespace millrace::samples {
namespace {

namespace fs = std::filesystem;

Error refused(const fs::path& path, std::string_view what, const std::error_code& reason) {
  return {fmt::format("{}: {}: {}", path.string(), what, reason.message())};
}

/// Held by the process that creates the data of a name; others wait for it. On a file system
/// without locks all of them create it, which only costs time.
class MakingLock {
 public:
  explicit MakingLock(const fs::path& path)
      : m_file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (m_file < 0) return;
    int result = 0;
    do result = ::flock(m_file, LOCK_EX);
    while (result != 0 && errno == EINTR);
    m_held = result == 0;
  }
  ~MakingLock() {
    if (m_file >= 0) ::close(m_file);
  }
  MakingLock(const MakingLock&) = delete;
  MakingLock& operator=(const MakingLock&) = delete;

  bool held() const { return m_held; }

 private:
  int m_file;
  bool m_held = false;
};

std::string headOf(const SampleKindEntry& kind) {
  return fmt::format("{} version {}", kind.name, kind.version);
}

std::string stampOf(const SampleKindEntry& kind, const Made& made) {
  return fmt::format("{}\n{} files {} bytes\n", headOf(kind), made.files, made.bytes);
}

/// The files and bytes in a folder, without its stamp.
Made counted(const fs::path& folder) {
  Made found;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (!it->is_regular_file(error) || it->path() == folder / kStampName) continue;
    ++found.files;
    found.bytes += it->file_size(error);
  }
  return found;
}

/// Whether the folder holds complete data of this version. A power failure can lose the content of
/// files whose names survive; the stamp's number of bytes detects that.
bool isWhole(const fs::path& folder, const SampleKindEntry& kind) {
  std::ifstream file(folder / kStampName, std::ios::binary);
  if (!file) return false;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str() == stampOf(kind, counted(folder));
}

/// A unique name in the same folder, and thus on the same file system.
fs::path siblingOf(const fs::path& folder, std::string_view purpose) {
  static std::atomic<unsigned> number{0};
  return folder.parent_path() / fmt::format(".{}.{}-{}-{}", folder.filename().string(), purpose,
                                            ::getpid(), number.fetch_add(1));
}

/// Removes what interrupted processes left. Only under the lock, when no other process is working.
void removeLeftovers(const fs::path& folder) {
  const std::string prefix = fmt::format(".{}.making-", folder.filename().string());
  std::error_code error;
  std::vector<fs::path> leftovers;
  for (fs::directory_iterator it(folder.parent_path(), error), end; !error && it != end;
       it.increment(error))
    if (it->path().filename().string().starts_with(prefix)) leftovers.push_back(it->path());
  for (const fs::path& leftover : leftovers) fs::remove_all(leftover, error);
}

/// Moves the finished `made` to `folder` and replaces whatever is there.
Status putInPlace(const fs::path& made, const fs::path& folder) {
  const fs::path old = siblingOf(folder, "making");
  std::error_code error;
  fs::rename(folder, old, error);
  fs::rename(made, folder, error);
  std::error_code ignored;
  fs::remove_all(old, ignored);
  if (error) return refused(folder, "cannot be moved to its place", error);
  return {};
}

Status makeInPlace(const fs::path& folder, const SampleKindEntry& kind,
                   const SampleProgress& progress, unsigned threads) {
  const fs::path making = siblingOf(folder, "making");
  std::error_code error;
  fs::create_directory(making, error);
  if (error) return refused(making, "cannot be created", error);
  const auto make = [&]() -> Status {
    const auto made = drawInto(making, kind, kind.defaultCount, 0, threads, progress);
    if (!made.ok()) return made.error();
    const std::string stamp = stampOf(kind, made.value());
    MILLRACE_TRY(writeNewFile(making / kStampName, stamp.data(), stamp.size()));
    return putInPlace(making, folder);
  };
  Status status = make();
  fs::remove_all(making, error);
  // Without a lock another process may have finished first.
  if (!status.ok() && isWhole(folder, kind)) return {};
  return status;
}

}  // namespace

bool isStamped(const fs::path& cache, const SampleKindEntry& kind) {
  std::ifstream file(cache / kind.name / kStampName, std::ios::binary);
  std::string line;
  return std::getline(file, line) && line == headOf(kind);
}

Result<fs::path> ensureInCache(const fs::path& cache, const SampleKindEntry& kind,
                               const SampleProgress& progress, unsigned threads) {
  fs::path folder = cache / kind.name;
  if (isWhole(folder, kind)) return folder;
  std::error_code error;
  fs::create_directories(cache, error);
  if (error) {
    const Error plain = refused(cache, "cannot be created", error);
    return Error{plain.message +
                 "; use data of your own, or set XDG_CACHE_HOME to a folder that can be written"};
  }
  const MakingLock lock(cache / fmt::format(".{}.lock", kind.name));
  if (isWhole(folder, kind)) return folder;
  if (lock.held()) removeLeftovers(folder);
  MILLRACE_TRY(makeInPlace(folder, kind, progress, threads));
  return folder;
}

}  // namespace millrace::samples
