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
#include "core/tune/tuner.h"

namespace millrace::cli {

/// One tuning, from a prepared pipeline to its exit code: its trials are answered out of a kept one
/// as far as that reaches, then measured; a replay ends where they would be measured. `go` once, on
/// one thread.
class TuneJob {
 public:
  /// `taskset`: the cores that this process was put on; empty: all that there are. `kept`: the
  /// tuning that is replayed or gone on with. All that is given by reference outlives the job.
  TuneJob(const TuneArguments& arguments, const TuneMeaning& meaning, PreparedPipeline prepared,
          std::string taskset, std::optional<KeptTuning> kept);

  int go(const std::vector<Problem>& warnings);

 private:
  /// What a trial came to, measured now or before.
  struct Tried {
    TrialOutcome outcome;
    bool overMemory = false;
    double seconds = 0;  ///< of its process
  };
  /// What the tuner is told of it, and what is written down.
  struct Judged {
    TunerTold told;
    TuneStep::State state = TuneStep::State::Measured;
    std::string reason;  ///< why it failed
  };

  // tune_job.cpp
  void findFacts();
  /// The exit code when nothing can be begun.
  std::optional<int> beginKeeping();
  std::optional<int> beginAnew(SearchSubject subject);
  void search();
  void loop();
  TrialDocument documentOf(const Graph& graph) const;
  double secondsLeft() const;
  bool replays() const { return m_arguments.replays(); }
  void stop();
  bool stopped() const;

  // tune_survey.cpp: what is known before the search.
  /// False: what was asked for may not be varied; m_refusal says why.
  bool makeSpace();
  std::optional<CachePoint> cachePoint();
  /// False: it was stopped, or it is not kept.
  bool survey(const TunerTold& start);
  bool takeSurvey(const TuneSurvey& kept, bool wanted);
  void diagnose();
  void giveExpectations();
  std::optional<double> ceilingOf() const;
  double usableCores() const;

  // tune_measure.cpp: trials.
  /// Nothing: the tuning that goes on had another setting there.
  std::optional<std::size_t> settingOf(const TunerTrial& trial);
  /// A setting once; nothing: it was stopped, or it is not kept.
  std::optional<TunerTold> measure(std::size_t setting);
  std::optional<TunerTold> replayed(std::size_t setting, const std::string& document);
  std::optional<TunerTold> replay(std::size_t setting, const KeptTrial& kept);
  std::optional<TunerTold> measured(std::size_t setting, const Result<Graph>& graph);
  /// Why a kept trial says nothing about what is asked now; empty: it does.
  std::string outOfReach(const KeptTrial& kept) const;
  void begin(std::size_t setting);
  Judged judge(std::size_t setting, Tried tried);
  Judged keepFailed(std::size_t setting, const std::string& reason, TunerTold::Kind kind);
  Judged keepMeasured(std::size_t setting, SpanFigures figures, double score);
  void dropRepeat(std::size_t setting);
  std::string whyNot(const Graph& graph) const;
  void tellEnded(std::size_t setting, const std::string& state, const std::string& reason,
                 std::optional<double> rate);
  void updateGains();
  /// Says once why a replay ends here.
  void endReplay(std::size_t setting, const std::string& why);
  /// Where this trial is kept; nullptr: it is not, or was before.
  TuneKeeper* keeper() { return m_replaying ? nullptr : m_keeper.get(); }

  // tune_finish.cpp
  void takeOutcome();
  void notePredictions();
  void endRuns();
  /// Of a trial, over the repeats that it had before this tuning went on.
  SpanFigures keptFiguresOf(std::size_t trial) const;
  bool writeBest();
  int finish();
  void sayHowToGoOn() const;

  const TuneArguments& m_arguments;
  const TuneMeaning& m_meaning;
  const PreparedPipeline m_prepared;
  const Graph m_graph;  ///< of m_prepared, with absolute paths
  const std::optional<KeptTuning> m_kept;
  TuneReplay m_replay;
  TuneClock m_clock;
  TuneOutcome m_outcome;
  std::string m_refusal;
  TuneSurvey m_survey;
  std::unique_ptr<Tuner> m_tuner;
  std::vector<std::vector<std::optional<RatePrediction>>> m_predicted;  ///< by axis and level
  SweepProgress m_progress;
  GraphTrial m_trial;
  Facts m_facts;
  std::unique_ptr<TuneKeeper> m_keeper;
  std::optional<TuneEvents> m_events;
  std::optional<double> m_lastRate;  ///< of the trial that was measured last
  bool m_replaying = false;          ///< the trial that goes on was measured before
  std::optional<int> m_coreLimit;    ///< of a replay: fewer than its trials had

  mutable Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  Diagnosis* m_diagnosis MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace::cli
