// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>

#include "core/base/text/text.h"

namespace millrace {

namespace {

namespace fs = std::filesystem;

fs::path folderOf(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

Error cannotWrite(const fs::path& file, int error) {
  std::error_code none;
  const bool noFolder = error == ENOENT && !fs::exists(folderOf(file), none);
  return Error{"cannot write " + validUtf8(file.native()) + ": " +
               (noFolder ? "there is no folder " + validUtf8(folderOf(file).native())
                         : std::generic_category().message(error))};
}

Error isThere(const fs::path& file) {
  return Error{validUtf8(file.native()) +
               " already exists; use the setting `force` to replace it, or choose another name"};
}

/// The file that symbolic links lead to, whether it is there or not.
Result<fs::path> targetOf(const fs::path& file) {
  constexpr int kMostLinks = 40;  // as path_resolution(7)
  std::error_code none;
  fs::path target = file;
  for (int i = 0; fs::is_symlink(target, none); ++i) {
    if (i == kMostLinks) return cannotWrite(file, ELOOP);
    target = target.parent_path() / fs::read_symlink(target, none);
  }
  return target;
}

/// The temporary name of a file that is being written.
fs::path besideOf(const fs::path& file) {
  fs::path beside = file;
  beside += ".part" + std::to_string(::getpid());
  return beside;
}

/// Opens the temporary file of `target`, with its permissions if it is there. -1 and errno if that
/// fails.
int openBeside(const fs::path& beside, const struct stat* there) {
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd >= 0 && there != nullptr) ::fchmod(fd, there->st_mode & 07777U);
  return fd;
}

/// Returns 0 or the errno value. Devices and pipes cannot be synchronised; that is not an error.
int synchronise(int fd) {
  return ::fsync(fd) != 0 && errno != EINVAL && errno != EROFS ? errno : 0;
}

/// Returns 0 or the errno value. Closes `fd`.
int writeAll(int fd, std::string_view text) {
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      error = errno;
  }
  if (error == 0) error = synchronise(fd);
  if (::close(fd) != 0 && error == 0) error = errno;
  return error;
}

/// The first bytes of a regular file; empty if it cannot be read.
std::string headOf(const fs::path& file, std::size_t most) {
  std::string head(most, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(most));
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head;
}

Status mayReplace(const fs::path& file) {
  constexpr std::string_view kDatabase = "SQLite format 3";
  if (headOf(file, kDatabase.size()) != kDatabase) return {};
  return Error{validUtf8(file.native()) +
               " is a database, such as a store of runs, and is not replaced; choose another name"};
}

/// Opens a device or a pipe. A pipe that no program reads is waited for, but not for ever, because
/// nothing could end a wait in open().
Result<int> openDirectly(const fs::path& file) {
  constexpr auto kPatience = std::chrono::seconds(5);
  constexpr auto kPause = std::chrono::milliseconds(20);
  const auto until = std::chrono::steady_clock::now() + kPatience;
  int fd = -1;
  while ((fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK)) < 0) {
    if (errno != ENXIO) return cannotWrite(file, errno);
    if (std::chrono::steady_clock::now() >= until)
      return Error{validUtf8(file.native()) + ": no program reads this pipe"};
    std::this_thread::sleep_for(kPause);
  }
  // Writing waits for the reader, as usual.
  if (::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK) < 0) return cannotWrite(file, errno);
  return fd;
}

Status writeInto(const fs::path& file, std::string_view text) {
  MILLRACE_ASSIGN_OR_RETURN(const int fd, openDirectly(file));
  if (const int error = writeAll(fd, text); error != 0) return cannotWrite(file, error);
  return {};
}

}  // namespace

Status mayWrite(const fs::path& file, IfThere ifThere) {
  MILLRACE_ASSIGN_OR_RETURN(const fs::path target, targetOf(file));
  struct stat status{};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return cannotWrite(file, EISDIR);
  if (exists && !S_ISREG(status.st_mode))
    return ::access(target.c_str(), W_OK) == 0 ? Status() : cannotWrite(file, errno);
  if (exists && ifThere == IfThere::Refuse) return isThere(file);
  if (exists) MILLRACE_TRY(mayReplace(target));
  // Permissions, read-only file systems and too long names are seen by making the temporary file.
  const fs::path beside = besideOf(target);
  const int fd = openBeside(beside, nullptr);
  if (fd < 0) return cannotWrite(file, errno);
  ::close(fd);
  ::unlink(beside.c_str());
  return {};
}

Status mayReplaceKind(const fs::path& file, std::string_view kind,
                      const std::function<bool(std::string_view head)>& isKind) {
  constexpr std::size_t kHead = 1U << 16U;
  MILLRACE_TRY(mayWrite(file, IfThere::Replace));
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return {};
  const std::string head = headOf(file, kHead);
  if (head.empty() || isKind(head)) return {};
  return Error{validUtf8(file.native()) + " is not " + std::string(kind) +
               " and is not replaced; choose another name, or remove it first"};
}

Status writeWholeFile(const fs::path& file, std::string_view text, IfThere ifThere) {
  MILLRACE_ASSIGN_OR_RETURN(const fs::path target, targetOf(file));
  struct stat status{};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return cannotWrite(file, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return writeInto(target, text);
  if (exists && ifThere == IfThere::Refuse) return isThere(file);
  if (exists) MILLRACE_TRY(mayReplace(target));
  const fs::path beside = besideOf(target);
  const int fd = openBeside(beside, exists ? &status : nullptr);
  if (fd < 0) return cannotWrite(file, errno);
  int error = writeAll(fd, text);
  const unsigned flags = ifThere == IfThere::Refuse ? RENAME_NOREPLACE : 0;
  if (error == 0 && ::renameat2(AT_FDCWD, beside.c_str(), AT_FDCWD, target.c_str(), flags) != 0)
    error = errno;
  if (error == EINVAL && flags != 0 && ::link(beside.c_str(), target.c_str()) == 0) error = 0;
  if (error == 0 && flags == 0) return {};
  ::unlink(beside.c_str());
  if (error == 0) return {};
  return error == EEXIST ? isThere(file) : cannotWrite(file, error);
}

Result<WholeFile> WholeFile::open(const fs::path& file) {
  MILLRACE_ASSIGN_OR_RETURN(const fs::path target, targetOf(file));
  struct stat status{};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  const bool isDirect = exists && !S_ISREG(status.st_mode);
  if (exists && !isDirect) MILLRACE_TRY(mayReplace(target));
  const fs::path beside = isDirect ? fs::path() : besideOf(target);
  int fd = -1;
  if (isDirect) {
    MILLRACE_ASSIGN_OR_RETURN(fd, openDirectly(target));
  } else {
    fd = openBeside(beside, exists ? &status : nullptr);
  }
  if (fd < 0) return cannotWrite(file, errno);
  std::FILE* stream = ::fdopen(fd, "w");
  if (stream == nullptr) {
    const int error = errno;
    ::close(fd);
    if (!isDirect) ::unlink(beside.c_str());
    return cannotWrite(file, error);
  }
  return WholeFile(stream, target, beside);
}

WholeFile::~WholeFile() {
  if (m_stream && !m_beside.empty()) ::unlink(m_beside.c_str());
}

Status WholeFile::finish() {
  std::FILE* stream = m_stream.release();
  // What could not be written before is tried again, so that there is a reason.
  int error = std::fflush(stream) != 0 ? errno : 0;
  if (error == 0 && std::ferror(stream) != 0) error = EIO;
  if (error == 0) error = synchronise(::fileno(stream));
  if (std::fclose(stream) != 0 && error == 0) error = errno;
  if (error == 0 && !m_beside.empty() && ::rename(m_beside.c_str(), m_target.c_str()) != 0)
    error = errno;
  if (error == 0) return {};
  if (!m_beside.empty()) ::unlink(m_beside.c_str());
  return Error{std::generic_category().message(error)};
}

Status replaceFile(const fs::path& file, const std::function<Status(const fs::path&)>& write) {
  MILLRACE_ASSIGN_OR_RETURN(const fs::path target, targetOf(file));
  const fs::path beside = besideOf(target);
  std::error_code error;
  // A rename would put a file in the place of the device or pipe.
  const fs::file_status there = fs::status(target, error);
  if (fs::exists(there) && !fs::is_regular_file(there))
    return Error{"cannot write " + validUtf8(file.native()) + ": it is not a file but a " +
                 (fs::is_directory(there) ? "folder" : "device or pipe") + "; choose another name"};
  if (Status written = write(beside); !written) {
    fs::remove(beside, error);
    return written;
  }
  fs::rename(beside, target, error);
  if (!error) return {};
  const int code = error.value();
  fs::remove(beside, error);
  return cannotWrite(file, code);
}

}  // namespace millrace
