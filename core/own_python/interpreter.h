// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace millrace {

/// The absolute path of an interpreter that is given as a path, or as a name that is looked up in
/// PATH. Links are kept, because a virtual environment finds its packages by its link. `knob` is
/// what the user sets it with, for the error: "the setting `python`".
Result<std::filesystem::path> findInterpreter(const std::string& interpreter,
                                              std::string_view knob);

/// Whether `name` can be a name in a Python file: identifiers joined by dots.
bool isPythonName(std::string_view name);

/// Whether it can lead to an object in a Python file: such names, of which parts may be the index
/// in a list or a call without arguments: `make().dataset.transforms.2`.
bool isPythonPath(std::string_view path);

}  // namespace millrace
