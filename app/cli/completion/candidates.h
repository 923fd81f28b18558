// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace millrace::cli {

/// What may stand in place of the last of `words`, the unfinished one, which follow the program's
/// name: commands, options, or an argument's values. Not filtered by its letters.
std::vector<std::string> candidatesFor(const CLI::App& app, const std::vector<std::string>& words);

/// Joins again what bash split at = and :. "a", "=", "b" becomes "a=b".
std::vector<std::string> joinedWords(const std::vector<std::string>& words);

}  // namespace millrace::cli
