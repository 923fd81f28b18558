// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace millrace {

enum class IfThere { Refuse, Replace };

/// Writes a file whole or not at all: beside it, then by one rename, so that a full disk or a kill
/// leaves what was there. A link is followed; what is no regular file (a device, a pipe) is written
/// to as it is. The error is a sentence that names the file. Any thread.
Status writeWholeFile(const std::filesystem::path& file, std::string_view text, IfThere ifThere);

}  // namespace millrace
