// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/refusal.h"
#include "core/base/result.h"
#include "core/store/run_store.h"

namespace millrace::cli {

// What the commands under `millrace runs` share. One file a command adds itself to `runs`.

void addRunsList(CLI::App& runs, Action& action);
void addRunsShow(CLI::App& runs, Action& action);
void addRunsCompare(CLI::App& runs, Action& action);
void addRunsTag(CLI::App& runs, Action& action);
void addRunsNote(CLI::App& runs, Action& action);
void addRunsBaseline(CLI::App& runs, Action& action);
void addRunsDelete(CLI::App& runs, Action& action);
void addRunsExport(CLI::App& runs, Action& action);
void addRunsImport(CLI::App& runs, Action& action);
void addRunsBackup(CLI::App& runs, Action& action);
void addRunsTidy(CLI::App& runs, Action& action);

/// The store that `--store` names; without it the person's own.
std::filesystem::path storeFile(const std::string& flag);

/// `--store` and `--json`.
struct StoreArguments {
  std::string store;
  bool json = false;

  void addTo(CLI::App& command);
  std::filesystem::path file() const { return storeFile(store); }
};

/// What to say where there is no run at all.
std::string noRunsYet();

/// Opens the store for reading and lets `work` use it; `empty` is called where there is no such
/// file. A store that cannot be read is the error with kFailed.
int withStore(const std::filesystem::path& file, const std::function<int()>& empty,
              const std::function<int(RunStore&)>& work);

/// As withStore, for changing what is there: no store is an error, and so is one that is read-only.
int withStoreToChange(const std::filesystem::path& file, const std::function<int(RunStore&)>& work);

/// Warns of runs that a damaged file does not give; the exit code of a command that shows the rest.
int sayWhatIsUnreadable(const RunList& list);
/// The same for the parts of one run.
int sayWhatIsUnreadable(const RunStore& store, const RunDetails& details);

/// Whether a word can only mean a run: "12", "#12", "last", or four or more letters and digits of
/// which the ids of runs are made.
bool looksLikeRun(const std::string& word);
/// All of them, each once, or the sentence about the first that is not there.
Result<std::vector<RunNumber>> distinctRuns(RunStore& store, const std::vector<std::string>& which);

/// "3 runs", "1 run".
std::string runCount(std::int64_t count);

}  // namespace millrace::cli
