// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/common/command.h"

namespace millrace::cli {

// Print "error: ..." and a newline to standard error when a command ends. Bytes that are not UTF-8
// become U+FFFD. Each returns `code`.

/// Wraps the text to lines.
int refuse(const std::string& message, int code = kBadUsage);
/// For errors about data: a message that begins with a path keeps the path on the first line,
/// however long.
int refuseData(const std::string& message, int code);
/// Prints the text on one line.
int fail(const std::string& message, int code);

}  // namespace millrace::cli
