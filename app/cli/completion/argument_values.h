// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class Option;
}

namespace millrace::cli {

/// What a command line says before the word that is completed.
struct CompletionLine {
  std::string command;                                      ///< "run", "runs show"
  std::vector<std::string> positionals;                     ///< in order
  std::vector<std::pair<std::string, std::string>> values;  ///< of options: "--set" and its value
};

/// The values that an option or a positional argument may have besides files, from the catalog, the
/// pipeline on the line and the store. `begun`: what is typed of the value.
std::vector<std::string> valuesOf(const CLI::Option& argument, const CompletionLine& line,
                                  const std::string& begun);

}  // namespace millrace::cli
