// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/formats/io/unique_fd.h"
#include "core/inspect/report/sample_record.h"

namespace millrace {

/// What is kept of a data set that is being examined, so that an examination that was stopped or
/// killed continues, and a finished one need not be repeated: a file of blocks that only grows. One
/// thread; a second process is refused.
///
/// The file has a header (magic, version, number of samples, digest of the data) and blocks: first
/// index, counts, sums, records, reasons, each block with the XXH3 of its bytes. A block that is
/// incomplete at the end of the file is what a kill leaves: it is cut off. Any other damage means
/// that nothing of the file is used.
class ReadingState {
 public:
  /// The file for the data at `path` in `folder`: one for each path.
  static std::filesystem::path fileOf(const std::filesystem::path& folder,
                                      const std::filesystem::path& path);

  /// Opens or creates the file and passes every block in it to `take`. State of other data (another
  /// digest or number of samples), of another version, or damaged state is discarded: note() then
  /// says why. The error says why no state can be kept.
  static Result<ReadingState> open(const std::filesystem::path& file, std::uint64_t digest,
                                   std::uint32_t samples, bool discard,
                                   const std::function<void(const ExaminedBlock&)>& take);

  Status append(const ExaminedBlock& block);
  /// Why earlier state was discarded; empty if there was none.
  const std::string& note() const { return m_note; }

 private:
  UniqueFd m_fd;
  std::filesystem::path m_file;
  std::uint64_t m_size = 0;
  std::string m_note;
};

}  // namespace millrace
