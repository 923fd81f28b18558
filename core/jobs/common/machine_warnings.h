// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/problem.h"

namespace millrace {

/// For jobs that measure in alternation: warns of conditions that slow the machine down now. Takes
/// a third of a second. Any thread.
void warnOfMachine(Problems& problems);

}  // namespace millrace
