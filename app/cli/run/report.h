// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/graph/plan.h"
#include "core/measure/run_result.h"

namespace millrace::cli {

/// The final report of a run for the user, at most 80 columns and without colour: the rate, the
/// time by node, the fill of the queues, the failures. `kept`: the last line, which says where the
/// run is kept; empty if it is not kept.
std::string reportText(const RunResult& result, const Plan& plan, const std::string& pipeline,
                       const std::string& kept);

/// The same for batches that no plan made. `about`: lines on what was measured.
std::string reportText(const RunResult& result, const std::string& name, const std::string& about,
                       const std::string& limits, const std::string& kept);

// Parts of the report, for other pages about a run. Empty if there is nothing to report; each
// except the first begins with an empty line.
/// Three significant digits, but at least the whole part.
std::string rounded(double value);
/// "1 234 samples/s   95 % interval 1 200 to 1 270".
std::string rateLine(const RunResult& result);
/// Which repeats do not count and why; empty if all count.
std::string notCountedLine(const RunResult& result);
std::string nodeLines(const SpanFigures& figures);
std::string queueLines(const SpanFigures& figures);
/// "  name            value", wrapped.
std::string figureLine(std::string_view name, std::string_view value);
/// For each cache its content, its hits, and why it stopped growing.
std::string cacheLines(const RunResult& result);
std::string failureLines(const RunResult& result);
/// What the user can do after a failure, to be appended to the reason; empty if nothing is known.
std::string failureHint(const RunResult& result);
/// What limits the run, by the rules with which `millrace diagnose` begins.
std::string limitLines(const RunResult& result, const Plan& plan);

}  // namespace millrace::cli
