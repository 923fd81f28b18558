// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/open_file.h"

namespace millrace {

/// One file of a container source.
struct ContainerFile {
  std::filesystem::path path;
  OpenFile file;

  /// For messages and names of samples.
  std::string name() const;
};

/// Opens every file. One that is packed (gzip, zlib) is unpacked, and a note says so: `isPlain`
/// tells by the first `headBytes` bytes that it is not. The error names the file.
Result<std::vector<ContainerFile>> openContainers(const std::vector<std::filesystem::path>& paths,
                                                  std::size_t headBytes,
                                                  bool (*isPlain)(const std::byte* head),
                                                  std::vector<std::string>& notes);

/// Their bytes, unpacked.
std::uint64_t bytesOf(const std::vector<ContainerFile>& files);

}  // namespace millrace
