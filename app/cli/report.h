// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/graph/plan.h"
#include "core/run/run_result.h"

namespace millrace::cli {

/// The final report of a run for a person, at most 80 columns and without colour: what came out,
/// where the time went by node, how full the queues were, what failed.
/// `kept`: the last line, which says where it is kept; empty: it is not.
std::string reportText(const RunResult& result, const Plan& plan, const std::string& pipeline,
                       const std::string& kept);

// Parts of it, for other pages about a run. Empty where there is nothing to say; each but the first
// begins with an empty line.
/// Three significant digits and at least the whole part.
std::string rounded(double value);
/// "1 234 samples/s   95 % interval 1 200 to 1 270".
std::string rateLine(const SpanFigures& figures);
std::string nodeLines(const SpanFigures& figures);
std::string queueLines(const SpanFigures& figures);
/// How much each cache holds and how often it helped, and why one keeps no more.
std::string cacheLines(const RunResult& result);
std::string failureLines(const RunResult& result);
/// What limits the run, by the rules with which `millrace diagnose` begins.
std::string limitLines(const RunResult& result, const Plan& plan);

}  // namespace millrace::cli
