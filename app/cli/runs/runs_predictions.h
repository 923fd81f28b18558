// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/common/command.h"

namespace millrace::cli {

/// Adds `runs predictions`, like the functions in runs.h.
void addRunsPredictions(CLI::App& runs, Action& action);

}  // namespace millrace::cli
