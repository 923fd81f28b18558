// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/compare/kept_run.h"
#include "core/store/run_store.h"

namespace millrace {

/// What to tell the user if the store does not exist or has no runs.
std::string noRunsYet();

/// Whether a word can only name a run: "12", "#12", "last", or four or more characters of those
/// that ids consist of.
bool looksLikeRun(const std::string& word);

/// The runs that these words name: a number, the beginning of an id, "last", or "baseline", which
/// means that of the first other run's experiment. An error if a run does not exist or is named
/// twice.
Result<std::vector<RunNumber>> runsNamed(RunStore& store, const std::vector<std::string>& words);

/// The run that `which` names (runNamed) in the store at `file`. A missing file is an error, too.
Result<KeptRun> keptRun(const std::filesystem::path& file, const std::string& which);

/// Everything that a comparison needs of these runs, including earlier sessions in the store.
Result<std::vector<KeptRun>> loadRuns(RunStore& store, const std::vector<RunNumber>& numbers);

}  // namespace millrace
