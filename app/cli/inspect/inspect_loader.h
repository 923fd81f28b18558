// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace::cli {

/// `millrace inspect FILE.py:NAME`: makes the user's loader, takes a first batch of it, and prints
/// what both are. Returns the exit code.
int inspectLoader(const std::string& word, const std::string& interpreter, bool json);

}  // namespace millrace::cli
