// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/inherited_text.h"
#include "core/base/result.h"

namespace millrace {

/// A file of resources/own_python, embedded at build time.
struct PythonPart {
  std::string_view name;
  std::string_view text;
};
std::span<const PythonPart> pythonParts();

/// All parts as one JSON object, in memory that a child process inherits.
Result<InheritedText> inheritedPythonParts();

/// The command with which `interpreter` runs `part` from the parts at the path `parts`, as a child
/// process. `settings` is a JSON object; `file` is the user's file, whose name need not be UTF-8.
std::vector<std::string> pythonCommand(const std::string& interpreter, const std::string& parts,
                                       std::string_view part, const std::string& settings,
                                       const std::string& file);

}  // namespace millrace
