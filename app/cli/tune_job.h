// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run_control.h"
#include "app/cli/sweep_progress.h"
#include "app/cli/tune_arguments.h"
#include "app/cli/tune_events.h"
#include "app/cli/tune_keeper.h"
#include "app/cli/tune_outcome.h"
#include "core/base/mutex.h"

namespace millrace::cli {

/// One tuning, from a prepared pipeline to its exit code. `go` once, on one thread.
class TuneJob {
 public:
  /// `taskset`: the cores that this process was put on; empty: all that there are. All that is
  /// given outlives the job.
  TuneJob(const TuneArguments& arguments, const TuneMeaning& meaning, PreparedPipeline prepared,
          std::string taskset);

  int go(const std::vector<Problem>& warnings);

 private:
  /// The exit code when nothing can be begun.
  std::optional<int> beginKeeping();
  void search();
  /// The pipeline as it is, before it is known what may be tuned.
  std::optional<TunerTold> measureStart();
  void diagnose(const TunerTold& start);
  /// False: what was asked for may not be varied; m_refusal says why.
  bool makeSpace();
  std::optional<CachePoint> cachePoint();
  void giveExpectations();
  std::optional<double> ceilingOf() const;
  void loop();

  std::size_t settingOf(const TunerTrial& trial);
  /// Measures a setting once; nothing: it was stopped.
  std::optional<TunerTold> measure(std::size_t setting);
  TunerTold keepFailed(std::size_t setting, const std::string& reason, TunerTold::Kind kind);
  void dropRepeat(std::size_t setting);
  TunerTold keepMeasured(std::size_t setting, SpanFigures figures, double score);
  std::string whyNot(const Graph& graph) const;
  void tellEnded(std::size_t setting, const std::string& state, const std::string& reason,
                 std::optional<double> rate);
  void updateGains();
  TrialDocument documentOf(const Graph& graph) const;
  double secondsLeft() const;
  void stop();
  bool stopped() const;

  void takeOutcome();
  void notePredictions();
  bool writeBest();
  int finish();

  const TuneArguments& m_arguments;
  const TuneMeaning& m_meaning;
  const PreparedPipeline m_prepared;
  const Graph m_graph;  ///< of m_prepared, with absolute paths
  TuneOutcome m_outcome;
  std::string m_refusal;
  std::unique_ptr<Tuner> m_tuner;
  std::vector<std::vector<std::optional<RatePrediction>>> m_predicted;  ///< by axis and level
  SweepProgress m_progress;
  GraphTrial m_trial;
  Facts m_facts;
  std::unique_ptr<TuneKeeper> m_keeper;
  std::optional<TuneEvents> m_events;
  std::optional<double> m_lastRate;  ///< of the trial that was measured last
  double m_began = 0;                ///< on the steady clock

  mutable Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  Diagnosis* m_diagnosis MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace::cli
