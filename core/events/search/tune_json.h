// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/events/search/search_events.h"
#include "core/tune/tuner/tune_outcome.h"

namespace millrace {

/// What can be done with the best setting of a tuning.
struct TuneCommands {
  std::string written;  ///< the file to which it was written; may be empty
  std::string write;    ///< the command that writes it; may be empty
  std::string compare;  ///< the command that compares it with the unmodified pipeline; may be empty
};

/// The object that `millrace tune --json` prints (docs/reference/command-line.md): keys sorted,
/// absent values null.
std::string tuneJson(const TuneOutcome& outcome, const TuneCommands& commands, bool indented);

/// What a reader shows of that object. A key that is missing or has another type leaves its value
/// empty.
struct TuneResultRecord {
  /// A setting that was tried.
  struct Trial {
    std::optional<std::uint64_t> trial;
    TunedSetting::State state = TunedSetting::State::Waiting;
    std::string reason;
    RateFigures samplesPerSecond;
    std::vector<std::optional<double>> rates;  ///< one for each repeat
    std::optional<double> gain;
    std::optional<double> goalValue;
    std::optional<double> cores;
    std::optional<std::uint64_t> peakRssBytes;
  };
  std::vector<Trial> trials;
  std::optional<std::uint64_t> best;  ///< number of the best trial
  std::vector<std::uint64_t> front;   ///< numbers of the trials on the Pareto front
  std::string stoppedBecause;
  std::string verdict;        ///< a sentence; empty if there is none
  bool tooFewBlocks = false;  ///< for a verdict
  std::vector<std::string> leftOut;
};
TuneResultRecord readTuneResult(std::string_view json);

// Events of a tuning from its state.
TuneEvent tuneEventOf(const TuneOutcome& outcome);
TuneSpaceEvent tuneSpaceOf(const TuneOutcome& outcome);
/// Trial `setting` begins.
TrialBegunEvent trialBegunOf(const TuneOutcome& outcome, std::size_t setting, double secondsLeft,
                             bool replayed);
/// Trial `setting` ended. `best`: the best setting so far.
TrialEndedEvent trialEndedOf(const TuneOutcome& outcome, std::size_t setting,
                             std::optional<std::size_t> best);
TuneEndedEvent tuneEndedOf(const TuneOutcome& outcome);

}  // namespace millrace
