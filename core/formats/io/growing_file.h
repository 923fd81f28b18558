// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/unique_fd.h"

namespace millrace {

/// A file that is written sequentially in blocks. Errors (full disk, no permission) are sentences
/// that name the file. One thread.
class GrowingFile {
 public:
  GrowingFile() = default;
  /// Creates the file, or keeps the first `keep` bytes of an existing one; an error if it has
  /// fewer.
  static Result<GrowingFile> open(const std::filesystem::path& path, std::uint64_t keep = 0);

  bool isOpen() const { return m_fd.valid(); }
  const std::filesystem::path& path() const { return m_path; }
  /// Bytes appended so far, including those that are still buffered.
  std::uint64_t size() const { return m_written + m_waiting.size(); }

  Status append(std::span<const std::byte> bytes);
  Status append(std::string_view text);
  /// Appends `count` zero bytes.
  Status appendZeros(std::uint64_t count);
  /// Replaces bytes that were appended earlier.
  Status overwrite(std::uint64_t offset, std::string_view text);
  /// Passes everything appended to the kernel.
  Status flush();
  /// Flushes, and writes to disk.
  Status sync();
  /// Syncs, and closes the file.
  Status close();

 private:
  std::filesystem::path m_path;
  UniqueFd m_fd;
  std::uint64_t m_written = 0;
  std::vector<std::byte> m_waiting;
};

/// Writes all of `bytes` at `offset`; returns 0, or the errno of the failure.
int writeAt(int fd, std::uint64_t offset, std::span<const std::byte> bytes);

/// "cannot write PATH: no space is left on the disk", and what to do.
Error cannotWrite(const std::filesystem::path& path, int errorNumber);

}  // namespace millrace
