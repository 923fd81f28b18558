// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace millrace {

/// Where what can be made again is kept for this user: `$XDG_CACHE_HOME/millrace`, without that
/// variable `~/.cache/millrace`, without a home below the folder for temporary files.
std::filesystem::path userCacheFolder();

}  // namespace millrace
