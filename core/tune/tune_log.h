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

// What a tuning writes down of its own way, so that its search can be made again from the same
// measurements: lines of JSON, each in the store before the next begins. The measurements
// themselves are the repeats of the trials' runs. Plain values.

/// What was asked for, as the flags say it.
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

/// What was known when the search began, behind the trial of the pipeline as it is.
struct TuneSurvey {
  double spentSeconds = 0;      ///< of the budget, without that trial
  double diagnosisSeconds = 0;  ///< of them
  double cacheRoomBytes = 0;    ///< memory that a cache could take on this machine
  bool diagnosed = false;       ///< a diagnosis was begun, whatever came of it
  std::size_t diagnosisRuns = 0;
  /// With its finding, counters and runs alone; absent: none came to an end.
  std::optional<DiagnosisResult> diagnosis;
};

/// A trial, in the order of measuring.
struct TuneStep {
  enum class State : std::uint8_t {
    Measured,  ///< it counts as the next repeat of the trial's run
    Replaced,  ///< it does not count; without a reason: other processes disturbed it
    Failed,
    OverLimit
  };
  std::size_t trial = 0;  ///< as the store numbers them
  State state = State::Measured;
  std::string reason;
  double seconds = 0;       ///< of its process
  double spentSeconds = 0;  ///< of the budget
};

/// A tuning's way as far as it went.
struct TuneLog {
  std::optional<TuneRequest> request;
  std::optional<TuneSurvey> survey;
  std::vector<TuneStep> steps;
  bool ended = false;  ///< by itself, not by a stop
};

/// A line each, without its end.
std::string lineOf(TuneRequest request);
std::string lineOf(TuneSurvey survey);
std::string lineOf(TuneStep step);
std::string lineOfEnd();

/// Lines of kinds that are not known are skipped. The error: one is no line of a log, or of a newer
/// version's.
Result<TuneLog> readTuneLog(const std::vector<std::string>& lines);

}  // namespace millrace
