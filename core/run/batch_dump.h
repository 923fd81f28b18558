// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/data/batch.h"
#include "core/run/host_copy.h"
#include "core/spec/source.h"

namespace millrace {

/// Writes batches as files for other programs (CONTRACT §9, `--dump`): `batch_00000.<field>.npy`
/// for each field and `batch_00000.json` with the names of the samples in order. Ragged fields are
/// written as one file a row, `batch_00000.<field>.00000.npy`. One thread.
class BatchDump {
 public:
  /// Makes the folder where it is missing.
  static Result<BatchDump> open(const std::filesystem::path& folder, std::uint64_t batches,
                                const Source& source);

  bool full() const { return m_written >= m_limit; }
  /// Writes a batch unless there are enough already. One on a device is copied back first.
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
  std::unique_ptr<HostCopy> m_copy;  ///< once a batch came on a device
};

}  // namespace millrace
