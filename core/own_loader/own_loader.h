// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace millrace {

/// A loader in a user's Python file, and how to iterate over it. Value.
struct OwnLoader {
  std::filesystem::path file;         ///< absolute
  std::string name;                   ///< in the file; may have dots
  std::filesystem::path interpreter;  ///< absolute
  /// Arguments of a DataLoader in place of those in the file: names and values as texts.
  std::vector<std::pair<std::string, std::string>> set;
  std::uint64_t samples = 0;    ///< in each batch; 0: counted
  double stepSeconds = 0;       ///< of a training step after each batch
  double patienceSeconds = 60;  ///< most time until a batch
  bool about = false;           ///< it is asked for its length, which may call the user's code
};

/// The file and the name of "FILE.py:NAME", and the interpreter: a path, or a name that is looked
/// up in PATH. The error says what is missing.
Result<OwnLoader> findOwnLoader(const std::string& word, const std::string& interpreter);

/// Adds an argument, NAME=VALUE, to `set`.
Status addArgument(OwnLoader& loader, const std::string& entry);

/// "train.py:loader", for lists and messages; with the arguments that are set:
/// "train.py:loader, num_workers=4".
std::string shownName(const OwnLoader& loader);

/// The text of its file; empty if that cannot be read.
std::string contentOf(const OwnLoader& loader);

/// The loader as the store keeps it in place of a pipeline's document: one object, with a digest of
/// the file's content, so that an edited loader is another one.
std::string documentOf(const OwnLoader& loader);

/// The command that runs the harness, whose parts are at the path `parts`
/// (core/own_python/python_parts.h).
std::vector<std::string> harnessCommand(const OwnLoader& loader, const std::string& parts);

}  // namespace millrace
