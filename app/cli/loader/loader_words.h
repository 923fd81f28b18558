// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace millrace::cli {

/// The words after the program's name. If the argument of `run` or `tune` names a user's own
/// loader, they become the command that does the same to a loader. `app` has all commands.
std::vector<std::string> wordsForLoader(const CLI::App& app, std::vector<std::string> words);

}  // namespace millrace::cli
