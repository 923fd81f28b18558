// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/open_file.h"
#include "core/storage/remote_object.h"

namespace millrace {

/// A file that a path of a source stands for.
struct ShardFile {
  std::filesystem::path path;
  std::uint32_t entry = 0;  ///< position of that path among the source's paths
};

/// One file of a container source.
struct ContainerFile {
  std::filesystem::path path;
  OpenFile file;
  std::uint32_t entry = 0;  ///< as ShardFile::entry

  /// The name used in messages and in names of samples.
  std::string name() const;
};

/// Opens the remote files among these at the same time, and keeps them open as long as the result,
/// so that openForReading() of each waits for no server.
std::vector<std::shared_ptr<RemoteObject>> openRemoteTogether(const std::vector<ShardFile>& files);

/// Opens every file. A compressed one (gzip, zlib) is decompressed, with a note, and another one if
/// it is damaged: then it ends where the damage begins. `isPlain` decides from the first
/// `headBytes` bytes that a file is not compressed. The error names the file; a file without a
/// readable beginning is one.
Result<std::vector<ContainerFile>> openContainers(const std::vector<ShardFile>& shards,
                                                  std::size_t headBytes,
                                                  bool (*isPlain)(const std::byte* head),
                                                  std::vector<std::string>& notes);

/// Total size of the decompressed files.
std::uint64_t bytesOf(const std::vector<ContainerFile>& files);

}  // namespace millrace
