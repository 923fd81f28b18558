// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/formats/dataset_writer.h"
#include "core/formats/io/growing_file.h"

namespace millrace {

/// The output files of a writer that appends samples sequentially: `name` alone, or
/// `name-000000.extension`, `name-000001.extension`, ... One thread.
class ShardSequence {
 public:
  /// Continues at `from`, whose place is the number of bytes in its shard.
  static Result<ShardSequence> open(const WriteSpec& spec, std::string extension, WriteMark from);

  GrowingFile& file() { return m_file; }
  /// Whether a sample of `bytes` bytes belongs in the next file.
  bool full(std::uint64_t bytes) const {
    return m_shardBytes > 0 && m_file.size() > 0 && m_file.size() + bytes > m_shardBytes;
  }
  /// Completes the current file and starts the next.
  Status next();
  Status close();
  void count() { ++m_at.samples; }
  Result<WriteMark> sync();
  std::uint64_t bytes() const { return m_before + m_file.size(); }

 private:
  Status begin(std::uint64_t keep);

  std::filesystem::path m_folder;
  std::string m_name;
  std::string m_extension;
  std::uint64_t m_shardBytes = 0;
  WriteMark m_at;
  std::uint64_t m_before = 0;  ///< bytes of the completed files
  GrowingFile m_file;
};

/// `name-000000.extension`.
std::string shardName(const std::string& name, std::uint32_t shard, const std::string& extension);

}  // namespace millrace
