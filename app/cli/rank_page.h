// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/run/run_result.h"

namespace millrace::cli {

/// What each rank of a run did, a line each, and how far behind the slowest is; empty for a run of
/// one process.
std::string rankLines(const RunResult& result);

}  // namespace millrace::cli
