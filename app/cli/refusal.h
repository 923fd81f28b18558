// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/command.h"

namespace millrace::cli {

// How a command says on standard error why it ends: "error: ..." with a newline. Bytes that are not
// UTF-8 become U+FFFD. Each gives `code` back.

/// Broken at kColumns.
int refuse(const std::string& message, int code = kBadUsage);
/// The same about data: a message that begins with a path keeps it behind "error:" however long.
int refuseData(const std::string& message, int code);
/// On one line.
int fail(const std::string& message, int code);

}  // namespace millrace::cli
