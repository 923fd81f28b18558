// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace millrace {

/// What a person reads for an errno: "no permission", "no such file or folder", ...
std::string reasonOf(int errorNumber);

/// Of the damage in a container file so many places are told in words, all are counted.
inline constexpr std::size_t kMostDamageNotes = 8;

/// Why a folder that a person named cannot be listed, with the remedy.
Error folderError(const std::filesystem::path& folder, int errorNumber);

}  // namespace millrace
