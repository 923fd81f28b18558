// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analyse/verdict.h"
#include "core/analyse/what_if.h"
#include "core/run/run_result.h"
#include "core/tune/diagnosis.h"
#include "core/tune/tune_goal.h"
#include "core/tune/tune_space.h"

namespace millrace::cli {

/// A setting that was tried.
struct TunedSetting {
  TunePoint point;
  std::string settings;       ///< "workers.count=4", what differs from the pipeline as it is
  std::vector<Advice> edits;  ///< the same as edits
  std::vector<SpanFigures> repeats;
  std::vector<double> scores;  ///< of the goal, one a repeat (core/tune/tune_goal.h)
  std::string failure;         ///< why it failed; empty: it has not
  bool overLimit = false;      ///< it failed because it takes more than it may
  std::optional<double> gain;  ///< of the goal against the pipeline as it is: 1.2 is 20 % better
  std::string runId;           ///< empty: not kept
};

/// What a model said of a setting, and what came of it; samples/s.
struct TunedPrediction {
  std::string edit;
  std::size_t trial = 0;
  RatePrediction predicted;
  double measured = 0;
};

/// A tuning as far as it went, with all that its pages say.
struct TuneOutcome {
  std::string pipeline;  ///< file or example as given
  TuneGoal goal = TuneGoal::Throughput;
  double budgetSeconds = 0;
  double spentSeconds = 0;
  std::size_t trials = 0;    ///< measurements, those of the diagnosis not among them
  std::size_t replaced = 0;  ///< of them disturbed, slow or failed: measured again
  std::size_t replayed = 0;  ///< of them measured before, by a tuning that this one replays
  bool replay = false;       ///< nothing is measured and nothing kept
  std::string missing;       ///< why what was measured before does not reach further, a sentence
  std::size_t diagnosisRuns = 0;
  std::uint64_t memoryBytes = 0;  ///< limit; 0: none
  std::optional<int> cores;       ///< limit
  std::string taskset;            ///< the cores that trials were kept on; empty: all
  TunerEnd end = TunerEnd::Searching;
  bool stopped = false;
  std::vector<TuneAxis> axes;
  std::vector<TunedSetting> settings;  ///< the first is the pipeline as it is
  std::optional<std::size_t> best;
  std::vector<std::size_t> front;
  std::optional<Verdict> verdict;  ///< of the goal: as it is against the best, in shared blocks
  std::optional<DiagnosisResult> diagnosis;
  std::vector<std::string> leftOut;  ///< what was not tried, a sentence each
  std::vector<TunedPrediction> predictions;
  std::string experiment;  ///< empty: not kept
  std::string document;    ///< the best pipeline; empty: there is none
  std::string written;     ///< the file that it was written to
  std::string write;       ///< the command that writes it; may be empty
  std::string compare;     ///< that measures it against the pipeline as it is afresh; may be empty

  /// Over all repeats.
  SpanFigures figuresOf(std::size_t setting) const {
    return combineRepeats(settings[setting].repeats);
  }
  /// Samples/s as they would be beside the pipeline as it is: what the machine did between blocks
  /// is taken out, as it is of the gain. As measured where the tuning is for something else.
  std::optional<double> levelRateOf(std::size_t setting) const;
  /// Of a tuning that ends with the pipeline as it is: the setting whose estimate is the highest
  /// above that, without being shown to be better.
  std::optional<std::size_t> unproven() const;
  /// A sentence without its full stop.
  std::string stoppedBecause() const;
};

/// The page for a person, within 80 columns and without colour.
std::string tuneText(const TuneOutcome& outcome);
/// As `--json` has it (README.md).
std::string tuneJson(const TuneOutcome& outcome, bool indented);

}  // namespace millrace::cli
