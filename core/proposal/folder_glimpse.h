// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/data/image_view.h"

namespace millrace {

/// The first names of a folder, each kind in byte order; hidden ones are left out.
struct FolderGlimpse {
  std::vector<std::string> files;
  std::vector<std::string> folders;
  bool all = true;  ///< there are no more
};

/// Reads at most `most` names. The error is a sentence with the remedy.
Result<FolderGlimpse> glimpse(const std::filesystem::path& folder, std::size_t most);

/// Whether the name ends as pictures do that this version decodes.
bool isPictureName(std::string_view name);
/// The name without its extension.
std::string_view stemOf(std::string_view name);
/// Lower case, ASCII alone.
std::string lowered(std::string_view text);

/// The size of a picture by its first bytes; nothing where it is none or cannot be read.
std::optional<Size> pictureSize(const std::filesystem::path& file);

}  // namespace millrace
