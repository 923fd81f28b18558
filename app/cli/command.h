// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

namespace CLI {
class App;
}

namespace millrace::cli {

/// Exit codes (CONTRACT §9).
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kBadUsage = 2;
inline constexpr int kInterrupted = 3;

/// What the chosen command does once all arguments are read; gives the exit code.
using Action = std::function<int()>;

// Each command's file adds its subcommand and, when that is chosen, sets `action`.
void addRun(CLI::App& app, Action& action);
void addCompare(CLI::App& app, Action& action);
void addDiagnose(CLI::App& app, Action& action);
void addSweep(CLI::App& app, Action& action);
void addCheck(CLI::App& app, Action& action);
void addPreview(CLI::App& app, Action& action);
void addNodes(CLI::App& app, Action& action);
void addRuns(CLI::App& app, Action& action);
void addExport(CLI::App& app, Action& action);
void addSampleData(CLI::App& app, Action& action);
void addDoctor(CLI::App& app, Action& action);
/// Describes every command that `app` has when the script is asked for.
void addCompletion(CLI::App& app, Action& action);

}  // namespace millrace::cli
