// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace millrace {

/// What a person reads for an errno: "no permission", "no such file or folder", ...
std::string reasonOf(int errorNumber);

/// Why a folder that a person named cannot be listed, with the remedy.
Error folderError(const std::filesystem::path& folder, int errorNumber);

}  // namespace millrace
