// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/verdict.h"
#include "core/analysis/what_if.h"
#include "core/measure/run_result.h"
#include "core/tune/diagnosis.h"
#include "core/tune/tuner/tune_goal.h"
#include "core/tune/tuner/tune_space.h"

namespace millrace {

/// A setting that was tried.
struct TunedSetting {
  enum class State : std::uint8_t { Waiting, Measured, Failed, OverLimit };

  TunePoint point;
  std::string settings;       ///< "workers.count=4": differences from the unmodified pipeline
  std::vector<Advice> edits;  ///< the same, as edits
  std::vector<SpanFigures> repeats;
  std::vector<double> scores;  ///< goal scores, one for each repeat (core/tune/tuner/tune_goal.h)
  std::string failure;         ///< why it failed; empty if it did not
  bool overLimit = false;      ///< it failed because it exceeded a limit
  std::optional<double> gain;  ///< goal relative to the unmodified pipeline: 1.2 is 20 % better
  std::string runId;           ///< empty: not kept

  State state() const;
  /// The goal's figure over the repeats, in its own unit; nullopt if there are none.
  std::optional<double> goalValue(TuneGoal goal) const;
};
/// `waiting`, `measured`, `failed`, `over_limit`.
std::string_view nameOf(TunedSetting::State state);

/// A model's prediction for a setting and the measurement, in samples/s.
struct TunedPrediction {
  std::string edit;
  std::size_t trial = 0;
  RatePrediction predicted;
  double measured = 0;
};

/// What a tuning tried and found, complete or stopped. Value.
struct TuneOutcome {
  std::string pipeline;  ///< file or example as entered
  TuneGoal goal = TuneGoal::Throughput;
  double budgetSeconds = 0;
  double spentSeconds = 0;
  std::size_t trials = 0;    ///< measurements, without those of the diagnosis
  std::size_t replaced = 0;  ///< disturbed, slow or failed ones, measured again
  std::size_t replayed = 0;  ///< trials taken from a kept tuning
  bool replay = false;       ///< nothing is measured or kept
  std::string missing;       ///< why a replay ended early, as a sentence
  std::size_t diagnosisRuns = 0;
  std::uint64_t memoryBytes = 0;  ///< limit; 0: none
  std::optional<int> cores;       ///< limit
  std::string taskset;            ///< the cores that trials were restricted to; empty: all
  TunerEnd end = TunerEnd::Searching;
  bool stopped = false;
  std::vector<TuneAxis> axes;
  std::vector<TunedSetting> settings;  ///< the first is the unmodified pipeline
  /// What is recommended: a setting that is shown to be better than the unmodified pipeline
  /// (Tuner::isShown), else the unmodified pipeline.
  std::optional<std::size_t> best;
  std::vector<std::size_t> front;
  /// The setting that was compared with the unmodified pipeline: the best, or the one that was not
  /// shown to be better.
  std::optional<std::size_t> judged;
  std::optional<Verdict> verdict;  ///< for the goal: unmodified against judged, in shared blocks
  std::optional<DiagnosisResult> diagnosis;
  std::vector<std::string> leftOut;  ///< what was not tried, one sentence each
  std::vector<TunedPrediction> predictions;
  std::string experiment;  ///< empty: not kept
  std::string document;    ///< the best pipeline, with absolute paths; empty if there is none

  /// Figures over all repeats.
  SpanFigures figuresOf(std::size_t setting) const {
    return combineRepeats(settings[setting].repeats);
  }
  /// The goal's figure in its own unit, relative to the unmodified pipeline in the same blocks,
  /// which removes drift of the machine between blocks: that of the unmodified pipeline and the
  /// gain. The raw measurement if one of the two is missing.
  std::optional<double> levelOf(std::size_t setting) const;
  /// levelOf if the goal is throughput, else the measured samples/s.
  std::optional<double> levelRateOf(std::size_t setting) const;
  /// How many times as good as the unmodified pipeline: the ratio of the shown levels.
  std::optional<double> shownGain(std::size_t setting) const;
  /// If the tuning ends with the unmodified pipeline: the setting that was compared with it, or the
  /// one with the highest estimate, if it seemed better but was not shown to be.
  std::optional<std::size_t> unproven() const;
  /// Rate, memory and cores of each setting. The rate of one that failed is 0; for another goal
  /// than throughput it is the inverse of the goal's figure if `byGoal`.
  std::vector<TuneBalance> balances(bool byGoal) const;
  /// The setting that seems better than a best one that changes something: measured as good or
  /// better with no more memory and cores, but not shown to be better.
  std::optional<std::size_t> rivalOfBest() const;
  /// How sentences name the judged setting: "the best", or its settings.
  std::string judgedName() const;
  /// A sentence without its full stop.
  std::string stoppedBecause() const;
};

}  // namespace millrace
