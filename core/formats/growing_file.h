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
#include "core/formats/unique_fd.h"

namespace millrace {

/// A file that is written from its begin to its end, in blocks. Errors (a full disk, no
/// permission) are sentences that name the file. One thread.
class GrowingFile {
 public:
  GrowingFile() = default;
  /// Makes the file, or keeps the first `keep` bytes of the one that is there; an error where it
  /// has fewer.
  static Result<GrowingFile> open(const std::filesystem::path& path, std::uint64_t keep = 0);

  bool isOpen() const { return m_fd.valid(); }
  const std::filesystem::path& path() const { return m_path; }
  /// Bytes so far, also those that are not written yet.
  std::uint64_t size() const { return m_written + m_waiting.size(); }

  Status append(std::span<const std::byte> bytes);
  Status append(std::string_view text);
  /// So many zeros.
  Status appendZeros(std::uint64_t count);
  /// Puts other bytes where some were written before.
  Status overwrite(std::uint64_t offset, std::string_view text);
  /// Hands all that was appended to the kernel.
  Status flush();
  /// The same, to the disk.
  Status sync();
  /// The same, and lets go of the file.
  Status close();

 private:
  std::filesystem::path m_path;
  UniqueFd m_fd;
  std::uint64_t m_written = 0;
  std::vector<std::byte> m_waiting;
};

/// Writes all of `bytes` from `offset` on; 0, or the number of the error that kept it from that.
int writeAt(int fd, std::uint64_t offset, std::span<const std::byte> bytes);

/// "cannot write PATH: no space is left on the disk", and what to do.
Error cannotWrite(const std::filesystem::path& path, int errorNumber);

}  // namespace millrace
