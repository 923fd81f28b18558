// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// Writes files into an uncompressed zip archive, as members with the given names, and flushes it
/// to disk. Returns the archive's size. The error names the file.
struct NpzMember {
  std::filesystem::path file;
  std::string name;
};
Result<std::uint64_t> writeNpz(const std::filesystem::path& archive,
                               const std::vector<NpzMember>& members);

}  // namespace millrace
