// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tune/diagnosis.h"

namespace millrace {

// The log of a tuning, from which its search can be repeated with the same measurements: lines of
// JSON, each in the store before the next step begins. The measurements themselves are the repeats
// of the trials' runs. Value types.

/// The request, as given by the flags.
struct TuneRequest {
  std::string budget;
  std::string memory;  ///< empty: no limit
  std::optional<std::int64_t> cores;
  std::string goal;
  std::vector<std::string> allow;
  std::vector<std::string> vary;
  double seconds = 0;
  double warmup = 0;
  std::optional<double> trialTimeout;
  std::string maxFailures;
  bool noRandom = false;
  bool noFuse = false;
};

/// What was known when the search began, after the baseline trial.
struct TuneSurvey {
  double spentSeconds = 0;      ///< part of the budget used, without the baseline trial
  double diagnosisSeconds = 0;  ///< part of spentSeconds
  double cacheRoomBytes = 0;    ///< memory available for a cache on this machine
  bool diagnosed = false;       ///< whether a diagnosis was started, whatever its outcome
  std::size_t diagnosisRuns = 0;
  /// Only finding, counters, gains and runs; absent if no diagnosis was completed.
  std::optional<DiagnosisResult> diagnosis;
};

/// A trial, in the order in which they were measured.
struct TuneStep {
  enum class State : std::uint8_t {
    Measured,  ///< counted as the next repeat of the trial's run
    Replaced,  ///< not counted; without a reason: disturbed by other processes
    Failed,
    OverLimit
  };
  std::size_t trial = 0;  ///< number in the store
  State state = State::Measured;
  std::string reason;
  double seconds = 0;       ///< duration of its process
  double spentSeconds = 0;  ///< budget used so far
};

/// The log of a tuning, as far as it went.
struct TuneLog {
  std::optional<TuneRequest> request;
  std::optional<TuneSurvey> survey;
  std::vector<TuneStep> steps;
  bool ended = false;  ///< the search was completed, not stopped
};

/// One line for each entry, without a newline.
std::string lineOf(TuneRequest request);
std::string lineOf(TuneSurvey survey);
std::string lineOf(TuneStep step);
std::string lineOfEnd();

/// Lines of unknown kinds are skipped. An error if a line is not part of a log, or if the log has a
/// newer version.
Result<TuneLog> readTuneLog(const std::vector<std::string>& lines);

}  // namespace millrace
