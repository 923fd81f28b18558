// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/verdict.h"
#include "core/store/run_record.h"

namespace millrace {

/// The runs of one `group` were measured in interleaved blocks (docs/reference/verdict.md): repeat
/// i of each run is its part of block i.
struct MeasuredTogether {
  std::int64_t group = 0;
  BlockRule rule;
  std::vector<RunNumber> runs{};  ///< all runs of the group, in order
};

/// A stored run, as comparisons take it.
struct KeptRun {
  RunDetails details;
  std::string pipelineJson;
  /// The interleaved measurement that the run belongs to, if any.
  std::optional<MeasuredTogether> together;
  /// The mean rate of each session in which this pipeline was measured under the same conditions
  /// (sessions.h). Empty: no history; a typical spread is assumed.
  std::vector<double> sessionRates;
};

/// Whether both belong to the same interleaved measurement.
bool areTogether(const KeptRun& a, const KeptRun& b);

/// A fact about the run's environment; absent if it was not recorded.
std::optional<std::string> factOf(const RunDetails& details, std::string_view key);
std::optional<double> figureOf(const std::vector<FigureRecord>& figures, std::string_view metric);

/// For each repeat of the run whether it counts: it is finished, and countedRepeats
/// (core/metrics/disturbance.h) counts it among the finished ones.
std::vector<bool> countedOf(const RunDetails& details);
/// Samples/s of the repeats that count, the basis of the shown rate and of verdicts; without a
/// finished repeat, the run's overall rate.
std::vector<double> ratesOf(const RunDetails& details);
/// The rate that is shown for the run: the geometric mean of ratesOf.
std::optional<double> rateOf(const RunDetails& details);
/// What disturbed the repeat, by the rules of core/metrics/disturbance.
std::vector<std::string> disturbancesIn(const RepeatRecord& repeat);
bool isDisturbed(const RepeatRecord& repeat);
/// Whether every finished repeat was disturbed: the repeats count, but give no verdict on runs
/// measured apart.
bool isOnlyDisturbed(const RunDetails& details);

}  // namespace millrace
