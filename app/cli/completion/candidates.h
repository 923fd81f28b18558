// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace millrace::cli {

/// How the last of `words` may continue: commands, options, or an argument's values. `words` are
/// those after the program's name. Not filtered by the letters of the last one.
std::vector<std::string> candidatesFor(const CLI::App& app, const std::vector<std::string>& words);

/// Joins again what bash split at = and :. "a", "=", "b" becomes "a=b".
std::vector<std::string> joinedWords(const std::vector<std::string>& words);

}  // namespace millrace::cli
