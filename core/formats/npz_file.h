// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// Puts whole files into a zip archive that packs nothing, and the archive on the disk. Each
/// becomes the member of its name. The error is a sentence that names the file.
struct NpzMember {
  std::filesystem::path file;
  std::string name;
};
Result<std::uint64_t> writeNpz(const std::filesystem::path& archive,
                               const std::vector<NpzMember>& members);

}  // namespace millrace
