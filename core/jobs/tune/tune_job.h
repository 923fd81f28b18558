// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include "core/jobs/tune/tune_book.h"
#include "core/jobs/tune/tune_surveyor.h"
#include "core/jobs/tune/tune_trials.h"

namespace millrace {

/// One tuning, of a prepared pipeline: measures it, surveys, then measures what the tuner proposes,
/// and keeps all of it. A kept tuning is replayed or continued. `run` once, on one thread; `stop`
/// from any.
class TuneJob {
 public:
  /// `trial` and `observer` must outlive the job.
  TuneJob(TuneJobSettings settings, PreparedPipeline prepared, GraphTrial& trial,
          TuneJobObserver& observer);

  /// A stopped tuning is an outcome, too, and so is a replay that lacks a trial
  /// (TuneOutcome::stopped, missing). The error says why it cannot begin; nothing was measured.
  Result<TuneOutcome> run();
  /// Ends the current trial, which does not count; `run` returns.
  void stop();

 private:
  void findFacts();
  Status beginKeeping();
  Status beginNew(SearchSubject subject);
  Status continueKept(SearchSubject subject);
  void search();
  void follow(Tuner& tuner);
  void conclude();
  void findFront();
  void recommend();
  void judge();
  void takeDocument();
  void endRuns();
  SpanFigures keptFiguresOf(std::size_t trial) const;

  TuneTask m_task;  ///< constant once the search begins
  TuneJobObserver& m_observer;
  TuneOutcome m_outcome;
  TuneClock m_clock;
  std::unique_ptr<TuneKeeper> m_keeper;
  std::unique_ptr<Tuner> m_tuner;
  TuneBook m_book;
  TuneTrials m_trials;
  TuneSurveyor m_surveyor;
  std::atomic<bool> m_stopped{false};
};

}  // namespace millrace
