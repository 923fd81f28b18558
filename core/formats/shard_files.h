// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/container_file.h"

namespace millrace {

/// Expands braces like a shell: `{a,b}` and `{000..015}`, which keeps leading zeros. Text without
/// braces is returned unchanged. Errors: nested braces, and more than a million names.
Result<std::vector<std::string>> expandBraces(std::string_view pattern);

/// The names that one path of a source stands for: the path itself if it exists literally,
/// otherwise its expanded braces. Relative paths start at `base`.
Result<std::vector<std::string>> namesMeant(const std::string& entry,
                                            const std::filesystem::path& base);

/// The files that a container source's paths stand for: files, patterns with braces, and folders,
/// from which all files with a name that `fits` are taken recursively in byte order. Paths are
/// resolved as in resolveDataPath. Of folders, fitting files that are junk by name are left out
/// with a note in `notes`; a file that is given itself is always taken. The error says what to do.
Result<std::vector<ShardFile>> shardFiles(const std::vector<std::string>& paths,
                                          const std::filesystem::path& base,
                                          const std::function<bool(std::string_view name)>& fits,
                                          std::vector<std::string>& notes);

}  // namespace millrace
