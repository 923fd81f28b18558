// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/run_arguments.h"

namespace millrace::cli {

/// `millrace run --ranks N`: runs the pipeline in N processes at the same time, each on its own
/// part of the data, as one run with one gathered result. `arguments` are settled and have ranks;
/// gives the exit code.
int runRanks(const RunArguments& arguments);

}  // namespace millrace::cli
