// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/data/buffer.h"
#include "core/data/sample.h"
#include "core/formats/io/block_reader.h"
#include "core/spec/source.h"

namespace millrace {

/// Reads whole files into a buffer that only grows, and counts the cost. One thread.
class FileReader {
 public:
  /// Larger files are refused as samples, because a file's size must not determine memory use.
  static constexpr std::size_t kLargestFile = std::size_t{1} << 30U;

  explicit FileReader(ReadBy by = ReadBy::Cache) : m_by(by) {}

  /// The content of the regular file at `path`, relative to the open folder `folder` (openFolder;
  /// AT_FDCWD: the working folder). The folder may be remote, and so may the path alone. Valid
  /// until the next read. The error gives the reason without the path.
  Result<std::span<std::byte>> read(int folder, const char* path, ReadCounters& counters,
                                    Sample::Room room = {});

  /// The same as the value of field `field`: stored in the batch if that takes it unchanged,
  /// otherwise lent by this reader.
  Status readInto(Sample& sample, std::size_t field, int folder, const char* path,
                  ReadCounters& counters);

 private:
  Result<std::span<std::byte>> readNow(int folder, const char* path, ReadCounters& counters,
                                       Sample::Room room);
  Result<std::span<std::byte>> readRemote(int folder, const char* path, ReadCounters& counters,
                                          Sample::Room room);
  Result<std::span<std::byte>> readAll(int fd, std::size_t size, ReadCounters& counters,
                                       Sample::Room room);

  const ReadBy m_by;
  Buffer m_memory;
  BlockReader m_blocks;
  std::uint32_t m_sinceTimed = ReadCounters::kTimedOneIn - 1;  ///< the first read is timed
};

}  // namespace millrace
