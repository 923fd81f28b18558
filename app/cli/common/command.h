// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

namespace CLI {
class App;
}

namespace millrace::cli {

/// Exit codes (docs/reference/command-line.md).
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kBadUsage = 2;
inline constexpr int kInterrupted = 3;

/// The work of the chosen command, called after all arguments have been parsed; returns the exit
/// code.
using Action = std::function<int()>;

// Each command of commands.def adds its subcommand to `app` and sets `action` when it is chosen.
#define MILLRACE_COMMAND(name) void add##name(CLI::App& app, Action& action);
#include "app/cli/commands.def"
#undef MILLRACE_COMMAND

}  // namespace millrace::cli
