// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/measure/run_result.h"

namespace millrace::cli {

/// One line for each rank of a run, and how much slower the slowest is; empty for a run of one
/// process.
std::string rankLines(const RunResult& result);

}  // namespace millrace::cli
