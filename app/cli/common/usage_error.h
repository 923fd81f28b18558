// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace millrace::cli {

/// Whether the command that was parsed has the flag `--json` and it was given.
bool wantsJson(const CLI::App& app);

/// "error: there is no command `rnu`; did you mean `run`?" and the valid ones. A word that begins
/// with a dash is an option of `at`, any other one a command. A setting leads on to its option.
std::string unknownWord(const std::string& word, const CLI::App& at);

/// The error text for wrong arguments. An unknown word is named with the nearest valid one and all
/// valid ones; other errors are those of CLI11 in plain words.
std::string usageError(const CLI::App& app, const CLI::ParseError& error);

/// The error text if an argument was given as an empty text, which mostly is a variable that is not
/// set; empty if none was. Only the text of a note may be empty.
std::string emptyArgument(const CLI::App& app);

}  // namespace millrace::cli
