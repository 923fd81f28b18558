// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/graph/plan.h"
#include "core/run/run_result.h"

namespace millrace::cli {

/// The final report of a run for a person, at most 80 columns and without colour: what came out,
/// where the time went by node, how full the queues were, what failed.
std::string reportText(const RunResult& result, const Plan& plan, const std::string& pipeline,
                       const std::string& runId);

}  // namespace millrace::cli
