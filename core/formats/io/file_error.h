// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace millrace {

/// Describes an errno for users: "no permission", "no such file or folder", ...
std::string reasonOf(int errorNumber);

/// Maximum number of damaged places of a container file that are described; all are counted.
inline constexpr std::size_t kMostDamageNotes = 8;

/// Why a folder given by the user cannot be listed, and what to do.
Error folderError(const std::filesystem::path& folder, int errorNumber);

}  // namespace millrace
