// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "core/base/result.h"

namespace millrace {

enum class IfThere { Refuse, Replace };

/// Error when something stands at `file` that may not be replaced, or a folder: to be asked before
/// long work, since the writing itself says so only at its end.
Status mayWrite(const std::filesystem::path& file, IfThere ifThere);

/// Writes a file whole or not at all: beside it, then by one rename, so that a full disk or a kill
/// leaves what was there. A link is followed; what is no regular file (a device, a pipe) is written
/// to as it is. The error is a sentence that names the file. Any thread.
Status writeWholeFile(const std::filesystem::path& file, std::string_view text, IfThere ifThere);

/// The same for what is written by `write` under the name that it is given. What stands at `file`
/// is replaced.
Status replaceFile(const std::filesystem::path& file,
                   const std::function<Status(const std::filesystem::path&)>& write);

}  // namespace millrace
