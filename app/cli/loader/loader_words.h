// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

/// The words after the program's name. If they name a user's own loader, `run` and `tune` become
/// the command that does the same to a loader.
std::vector<std::string> wordsForLoader(std::vector<std::string> words);

}  // namespace millrace::cli
