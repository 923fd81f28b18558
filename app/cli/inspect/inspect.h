// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/common/command.h"

namespace millrace::cli {

/// Adds `inspect`, like the functions in command.h.
void addInspect(CLI::App& app, Action& action);

}  // namespace millrace::cli
