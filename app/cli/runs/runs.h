// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/common/command.h"
#include "app/cli/common/refusal.h"
#include "core/base/result.h"
#include "core/jobs/common/kept_runs.h"
#include "core/store/run_store.h"

namespace millrace::cli {

// Shared by the commands of `millrace runs`. Each command of runs.def adds itself to `runs`.
#define MILLRACE_RUNS_COMMAND(name) void addRuns##name(CLI::App& runs, Action& action);
#include "app/cli/runs/runs.def"
#undef MILLRACE_RUNS_COMMAND

/// The store named by `--store`; by default the user's own.
std::filesystem::path storeFile(const std::string& flag);
/// " --store FILE", quoted for a shell, if it was given; for suggested commands.
std::string suggestedStore(const std::string& flag);
/// A message about a store that is an argument of the command, which no setting names.
std::string ofArgument(std::string message);

/// `--store` and `--json`.
struct StoreArguments {
  std::string store;
  bool json = false;

  void addTo(CLI::App& command);
  std::filesystem::path file() const { return storeFile(store); }
};

/// Opens the store for reading and calls `work`; calls `empty` if the user's own store does not
/// exist yet; any other file that does not exist is an error with kBadUsage. A store that cannot be
/// read is an error with kFailed.
int withStore(const std::filesystem::path& file, const std::function<int()>& empty,
              const std::function<int(RunStore&)>& work);

/// Like withStore, but for changes: a missing or read-only store is an error.
int withStoreToChange(const std::filesystem::path& file, const std::function<int(RunStore&)>& work);

/// Warns of runs lost to a damaged file; returns the exit code of a command that shows the rest.
int sayWhatIsUnreadable(const RunList& list);
/// The same for parts of one run.
int sayWhatIsUnreadable(const RunStore& store, const RunDetails& details);

/// All named runs, each once; or an error about the first that does not exist.
Result<std::vector<RunNumber>> distinctRuns(RunStore& store, const std::vector<std::string>& which);

/// "3 runs", "1 run".
std::string runCount(std::int64_t count);
/// "1 run: 12", "3 runs: 1, 2 and 3".
std::string runsWithNumbers(const std::vector<RunNumber>& runs);

}  // namespace millrace::cli
