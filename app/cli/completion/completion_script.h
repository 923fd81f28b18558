// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace::cli {

// Scripts for the shells. They ask `millrace __complete` what may follow, so that they need no
// change when commands, nodes or runs are added.
std::string bashCompletion();
std::string zshCompletion();
std::string fishCompletion();

}  // namespace millrace::cli
