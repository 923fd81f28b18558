// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/data/batch.h"
#include "core/spec/source.h"
#include "core/transfer/host_copy.h"

namespace millrace {

/// Writes batches as files for other programs (docs/reference/command-line.md, `--dump`):
/// `batch_00000.<field>.npy` for each field, and `batch_00000.json` with the names of the samples
/// in order. A ragged field is written as one file for each row, `batch_00000.<field>.00000.npy`.
/// One thread.
class BatchDump {
 public:
  /// Creates the folder if necessary, and removes an earlier dump from it (removeEarlier).
  /// `batches`: number of batches to write.
  static Result<BatchDump> open(const std::filesystem::path& folder, std::uint64_t batches,
                                const Source& source);

  /// Removes the files of an earlier dump from `folder`, and from its folders `rank_N`, which
  /// disappear once they are empty. Other files stay. A folder that is missing is no error.
  static Status removeEarlier(const std::filesystem::path& folder);

  bool full() const { return m_written >= m_limit; }
  /// Writes a batch unless enough were written. A batch on a device is first copied to the host.
  /// The error names the file.
  Status write(const Batch& batch);

 private:
  BatchDump(std::filesystem::path folder, std::uint64_t limit, const Source& source)
      : m_folder(std::move(folder)), m_limit(limit), m_source(&source) {}
  Status writeFields(const Batch& batch, const std::string& stem) const;
  Status writeNames(const Batch& batch, const std::string& stem) const;

  std::filesystem::path m_folder;
  std::uint64_t m_limit;
  const Source* m_source;
  std::uint64_t m_written = 0;
  std::unique_ptr<HostCopy> m_copy;  ///< set when the first batch on a device comes
};

}  // namespace millrace
