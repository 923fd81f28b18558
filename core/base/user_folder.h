// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace millrace {

/// The user's folder for files that can be recreated: `$XDG_CACHE_HOME/millrace`, or
/// `~/.cache/millrace` if that variable is not set, or a folder below the system's temporary folder
/// if there is no home either.
std::filesystem::path userCacheFolder();

/// The user's folder for files that must last: `$XDG_DATA_HOME/millrace`, or
/// `~/.local/share/millrace` if that variable is not set. Empty if there is no home either.
std::filesystem::path userDataFolder();

}  // namespace millrace
