// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/problem.h"

namespace millrace::cli {

/// For commands that measure by turns: what keeps the machine now from what it could do. Takes a
/// third of a second.
void warnOfMachine(Problems& problems);

}  // namespace millrace::cli
