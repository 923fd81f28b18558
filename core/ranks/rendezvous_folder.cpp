// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/ranks/rendezvous_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace millrace {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMeetingName = "millrace-ranks-";

/// Descriptor of the locked folder; -1 if another process holds the lock or it cannot be opened.
int lockFolder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -1;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  ::close(descriptor);
  return -1;
}

/// Removes this user's folders whose creators have ended.
void removeDeserted(const fs::path& parent) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    if (!entry.path().filename().string().starts_with(kMeetingName)) continue;
    struct stat status{};
    if (::lstat(entry.path().c_str(), &status) != 0 || status.st_uid != ::geteuid()) continue;
    const int lock = lockFolder(entry.path());
    if (lock < 0) continue;
    fs::remove_all(entry.path(), error);
    ::close(lock);
  }
}

}  // namespace

Result<RendezvousFolder> RendezvousFolder::make() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  if (error)
    return Error{fmt::format("the folder for temporary files is unknown: {}", error.message())};
  return make(parent);
}

Result<RendezvousFolder> RendezvousFolder::make(const fs::path& parent) {
  removeDeserted(parent);
  // Between mkdtemp and the lock, another process may remove the folder as abandoned.
  constexpr int kTries = 8;
  for (int i = 0; i < kTries; ++i) {
    std::string path = (parent / kMeetingName).string() + "XXXXXX";
    if (::mkdtemp(path.data()) == nullptr)
      return Error{fmt::format("{}: cannot create a folder for the ranks: {}", parent.string(),
                               std::strerror(errno))};
    const int lock = lockFolder(path);
    std::error_code error;
    if (lock >= 0 && fs::exists(path, error)) return RendezvousFolder(path, lock);
    if (lock >= 0) ::close(lock);
    fs::remove_all(path, error);
  }
  return Error{fmt::format("{}: folders created there disappear", parent.string())};
}

RendezvousFolder::~RendezvousFolder() {
  if (m_path.empty()) return;
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
  ::close(m_lock);
}

}  // namespace millrace
