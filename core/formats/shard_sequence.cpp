// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/shard_sequence.h"

#include <utility>

#include <fmt/format.h>

namespace millrace {

std::string shardName(const std::string& name, std::uint32_t shard, const std::string& extension) {
  return fmt::format("{}-{:06}.{}", name, shard, extension);
}

Result<ShardSequence> ShardSequence::open(const WriteSpec& spec, std::string extension,
                                          WriteMark from) {
  ShardSequence files;
  files.m_folder = spec.folder;
  files.m_name = spec.name;
  files.m_extension = std::move(extension);
  files.m_shardBytes = spec.shardBytes;
  files.m_at = from;
  for (std::uint32_t shard = 0; shard < from.shard; ++shard) {
    std::error_code error;
    const auto file = spec.folder / shardName(spec.name, shard, files.m_extension);
    const auto size = std::filesystem::file_size(file, error);
    if (error) return Error{fmt::format("`{}` has disappeared", file.native())};
    files.m_before += size;
  }
  MILLRACE_TRY(files.begin(from.place));
  return files;
}

Status ShardSequence::begin(std::uint64_t keep) {
  const std::string name = m_shardBytes == 0 ? m_name : shardName(m_name, m_at.shard, m_extension);
  MILLRACE_ASSIGN_OR_RETURN(m_file, GrowingFile::open(m_folder / name, keep));
  return {};
}

Status ShardSequence::next() {
  MILLRACE_TRY(close());
  m_before += m_file.size();
  ++m_at.shard;
  return begin(0);
}

Status ShardSequence::close() { return m_file.close(); }

Result<WriteMark> ShardSequence::sync() {
  MILLRACE_TRY(m_file.sync());
  m_at.place = m_file.size();
  return m_at;
}

}  // namespace millrace
