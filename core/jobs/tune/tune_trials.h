// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "core/jobs/tune/tune_book.h"

namespace millrace {

/// Answers the tuner: trials are taken from a kept tuning as far as it reaches, then measured; a
/// replay ends where it would have to measure. One thread; `stop` from any.
class TuneTrials {
 public:
  /// All arguments must outlive this object.
  TuneTrials(const TuneTask& task, GraphTrial& trial, TuneBook& book, TuneClock& clock,
             TuneOutcome& outcome);

  /// The index of the trial's setting in the outcome, where it is added if it is new. nullopt: the
  /// tuning to be continued had another setting there (TuneOutcome::missing).
  std::optional<std::size_t> settingOf(const TunerTrial& trial);
  /// Measures a setting once; nullopt if it was stopped, or if a replay lacks the trial
  /// (TuneOutcome::missing).
  std::optional<TunerObservation> measure(std::size_t setting);
  /// Ends the current trial and prevents others.
  void stop();

 private:
  std::optional<TunerObservation> replayed(std::size_t setting, const std::string& document);
  std::optional<TunerObservation> replay(std::size_t setting, const KeptTrial& kept);
  std::optional<TunerObservation> measured(std::size_t setting, const Result<Graph>& graph);
  std::optional<TriedSetting> tryOut(const Result<Graph>& graph, const std::string& wrong,
                                     double begun);
  std::string outOfReach(const KeptTrial& kept) const;
  std::string whyNot(const Graph& graph) const;
  void endReplay(std::size_t setting, const std::string& why);

  const TuneTask& m_task;
  GraphTrial& m_trial;
  TuneBook& m_book;
  TuneClock& m_clock;
  TuneOutcome& m_outcome;
  TuneReplay m_replay;
  std::atomic<bool> m_stopped{false};
};

}  // namespace millrace
