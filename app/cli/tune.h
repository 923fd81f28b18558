// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"

namespace millrace::cli {

/// `tune`, as the commands of command.h.
void addTune(CLI::App& app, Action& action);

}  // namespace millrace::cli
