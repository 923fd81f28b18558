// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run/run_arguments.h"

namespace millrace::cli {

/// `millrace run --ranks N`: runs the pipeline in N processes at the same time, each on its own
/// part of the data, as one run with one combined result. `arguments` must be settled and have
/// ranks. Returns the exit code.
int runRanks(const RunArguments& arguments);

}  // namespace millrace::cli
