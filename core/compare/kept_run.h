// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analyse/verdict.h"
#include "core/store/run_record.h"

namespace millrace {

/// Runs of one `group` were measured in interleaved blocks (CONTRACT §8): repeat i of each is its
/// part of block i.
struct MeasuredTogether {
  std::int64_t group = 0;
  BlockRule rule;
  std::vector<RunNumber> runs{};  ///< all of the group, in its order
};

/// A run as a comparison takes it: what the store keeps of it.
struct KeptRun {
  RunDetails details;
  std::string pipelineJson;
  /// How it was measured together with others, where it was.
  std::optional<MeasuredTogether> together;
  /// One mean rate for each sitting in which this pipeline was measured under the same conditions
  /// (sittings.h); empty: nothing known, the usual spread is taken.
  std::vector<double> sittingRates;
};

/// Whether both were measured in the blocks of one group.
bool areTogether(const KeptRun& a, const KeptRun& b);

/// A fact of the run's environment; absent where nobody told.
std::optional<std::string> factOf(const RunDetails& details, std::string_view key);
std::optional<double> figureOf(const std::vector<FigureRecord>& figures, std::string_view metric);

/// Samples/s of each finished repeat. Of a run without one, the rate of what it measured.
std::vector<double> ratesOf(const RunDetails& details);
/// What disturbed it, as core/metrics/disturbance says.
std::vector<std::string> disturbancesIn(const RepeatRecord& repeat);
bool isDisturbed(const RepeatRecord& repeat);
/// The same without disturbed repeats: what a verdict on runs measured apart rests on.
std::vector<double> quietRatesOf(const RunDetails& details);

}  // namespace millrace
