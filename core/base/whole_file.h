// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "core/base/result.h"

namespace millrace {

enum class IfThere { Refuse, Replace };

/// Fails if `file` is a folder, exists and may not be replaced, or cannot be made: its folder is
/// missing or may not be written. Call it before long work, because writeWholeFile() reports this
/// only at the end. An SQLite database, such as a store of runs, may never be replaced.
Status mayWrite(const std::filesystem::path& file, IfThere ifThere);

/// As mayWrite(); also fails if `file` is there, is not empty and is not `kind` ("a trace"):
/// `isKind` sees its first 64 KiB. For files that are replaced without --force.
Status mayReplaceKind(const std::filesystem::path& file, std::string_view kind,
                      const std::function<bool(std::string_view head)>& isKind);

/// Writes a file completely or not at all: to a temporary file in the same folder, then by one
/// rename. A full disk or a kill leaves the old content. Symbolic links are followed; anything that
/// is not a regular file (a device, a pipe) is written to directly. The error is a sentence that
/// names the file. Any thread.
Status writeWholeFile(const std::filesystem::path& file, std::string_view text, IfThere ifThere);

/// A file that is written piece by piece, and replaces what was there as writeWholeFile() does:
/// when it is finished. Unfinished it leaves nothing. A device or a pipe is written to at once. One
/// thread.
class WholeFile {
 public:
  /// The error is a sentence that names the file.
  static Result<WholeFile> open(const std::filesystem::path& file);
  ~WholeFile();
  WholeFile(WholeFile&&) = default;
  WholeFile& operator=(WholeFile&&) = delete;

  /// For writing. What fails, such as a full disk, is reported by finish().
  std::FILE* stream() const { return m_stream.get(); }
  /// Ends the file; call it once, and nothing after it. The error is the reason alone.
  Status finish();

 private:
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  WholeFile(std::FILE* stream, std::filesystem::path target, std::filesystem::path beside)
      : m_stream(stream), m_target(std::move(target)), m_beside(std::move(beside)) {}

  std::unique_ptr<std::FILE, Close> m_stream;
  std::filesystem::path m_target;  ///< with links resolved
  std::filesystem::path m_beside;  ///< its temporary name; empty for a device or a pipe
};

/// Like writeWholeFile(), but `write` produces the file under the temporary name that it receives.
/// An existing file is replaced; a folder, device or pipe is an error.
Status replaceFile(const std::filesystem::path& file,
                   const std::function<Status(const std::filesystem::path&)>& write);

}  // namespace millrace
