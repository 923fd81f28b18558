// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/compare/kept_run.h"
#include "core/store/run_store.h"

namespace millrace::cli {

/// The runs that these words name: a number, the beginning of an id, "last", or "baseline", which
/// is that of the first other run's experiment. An error for a run that is not there or stands
/// twice.
Result<std::vector<RunNumber>> runsNamed(RunStore& store, const std::vector<std::string>& words);

/// The run that `which` names (runNamed) in the store at `file`; no file is an error too.
Result<KeptRun> keptRun(const std::filesystem::path& file, const std::string& which);

/// All that a comparison takes of them, with what the store knows of earlier sittings.
Result<std::vector<KeptRun>> loadRuns(RunStore& store, const std::vector<RunNumber>& numbers);

}  // namespace millrace::cli
