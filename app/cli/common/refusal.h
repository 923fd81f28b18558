// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/common/command.h"

namespace millrace::cli {

/// Prints "error: ..." and a newline to standard error when a command ends. Bytes that are not
/// UTF-8 become U+FFFD. Returns `code`.
int fail(const std::string& message, int code = kBadUsage);

}  // namespace millrace::cli
