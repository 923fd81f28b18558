// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"

namespace millrace::cli {

/// `runs predictions`, as the commands of runs.h.
void addRunsPredictions(CLI::App& runs, Action& action);

}  // namespace millrace::cli
