// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace millrace::cli {

struct OptionWords {
  std::string name;  ///< including its dashes
  std::string help;
  bool takesValue = false;
  std::vector<std::string> values;  ///< known values; otherwise files are completed
};

/// What may follow one command.
struct CommandWords {
  std::string path;  ///< "", "run", "runs list"
  std::string help;
  std::vector<std::string> subcommands;
  std::vector<OptionWords> options;
  std::vector<std::string> values;  ///< of its positional arguments; otherwise files
};

// Scripts for the shells. The first command is the program itself; a parent comes before its
// children.
std::string bashCompletion(const std::vector<CommandWords>& commands);
std::string zshCompletion(const std::vector<CommandWords>& commands);
std::string fishCompletion(const std::vector<CommandWords>& commands);

}  // namespace millrace::cli
