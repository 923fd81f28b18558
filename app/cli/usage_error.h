// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace millrace::cli {

/// What is wrong with the arguments, for standard error: a word that no command knows is named with
/// the nearest one and with all that are valid there; everything else in CLI11's words.
std::string usageError(const CLI::App& app, const CLI::ParseError& error);

}  // namespace millrace::cli
