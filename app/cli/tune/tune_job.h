// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run/run_control.h"
#include "app/cli/sweep/sweep_progress.h"
#include "app/cli/tune/tune_arguments.h"
#include "app/cli/tune/tune_events.h"
#include "app/cli/tune/tune_outcome.h"
#include "core/base/mutex.h"
#include "core/jobs/tune/tune_keeper.h"
#include "core/tune/tuner/tuner.h"

namespace millrace::cli {

/// One tuning, from a prepared pipeline to its exit code. Trials are taken from a kept tuning as
/// far as it reaches, then measured; a replay ends where it would have to measure. Call `go` once,
/// on one thread.
class TuneJob {
 public:
  /// `taskset`: the cores that this process was restricted to; empty: all. `kept`: the tuning to
  /// replay or continue. All references must outlive the job.
  TuneJob(const TuneArguments& arguments, const TuneMeaning& meaning, PreparedPipeline prepared,
          std::string taskset, std::optional<KeptTuning> kept);

  int go(const std::vector<Problem>& warnings);

 private:
  /// The outcome of a trial, measured now or before.
  struct Tried {
    TrialOutcome outcome;
    bool overMemory = false;
    double seconds = 0;  ///< duration of its process
  };
  /// The judgement that is reported to the tuner and written to the log.
  struct Judged {
    TunerObservation told;
    TuneStep::State state = TuneStep::State::Measured;
    std::string reason;  ///< why it failed
  };

  // tune_job.cpp
  void findFacts();
  /// Returns an exit code if the tuning cannot begin.
  std::optional<int> beginKeeping();
  std::optional<int> beginAnew(SearchSubject subject);
  void search();
  void loop();
  TrialDocument documentOf(const Graph& graph) const;
  double secondsLeft() const;
  bool replays() const { return m_arguments.replays(); }
  void stop();
  bool stopped() const;

  // tune_survey.cpp: preparation of the search.
  /// Returns false if a requested parameter must not be varied; see m_refusal.
  bool makeSpace();
  std::optional<CachePoint> cachePoint();
  /// Returns false if it was stopped, or if a replay lacks the data.
  bool survey(const TunerObservation& start);
  bool takeSurvey(const TuneSurvey& kept, bool wanted);
  void diagnose();
  void giveExpectations();
  std::optional<double> ceilingOf() const;
  double usableCores() const;

  // tune_measure.cpp: trials.
  /// nullopt: the tuning to be continued had another setting there.
  std::optional<std::size_t> settingOf(const TunerTrial& trial);
  /// Measures a setting once; nullopt if it was stopped, or if a replay lacks the trial.
  std::optional<TunerObservation> measure(std::size_t setting);
  std::optional<TunerObservation> replayed(std::size_t setting, const std::string& document);
  std::optional<TunerObservation> replay(std::size_t setting, const KeptTrial& kept);
  std::optional<TunerObservation> measured(std::size_t setting, const Result<Graph>& graph);
  /// Why a kept trial cannot answer the present request; empty if it can.
  std::string outOfReach(const KeptTrial& kept) const;
  void begin(std::size_t setting);
  Judged judge(std::size_t setting, Tried tried);
  Judged keepFailed(std::size_t setting, const std::string& reason, TunerObservation::Kind kind);
  Judged keepMeasured(std::size_t setting, SpanFigures figures, double score);
  void dropRepeat(std::size_t setting);
  std::string whyNot(const Graph& graph) const;
  void tellEnded(std::size_t setting, const std::string& state, const std::string& reason,
                 std::optional<double> rate);
  void updateGains();
  /// Records once why a replay ends here.
  void endReplay(std::size_t setting, const std::string& why);
  /// Keeps this trial; nullptr if it is not kept or was kept before.
  TuneKeeper* keeper() { return m_replaying ? nullptr : m_keeper.get(); }

  // tune_finish.cpp
  void takeOutcome();
  void notePredictions();
  void endRuns();
  /// The figures of a trial over the repeats from before this tuning was continued.
  SpanFigures keptFiguresOf(std::size_t trial) const;
  bool writeBest();
  int finish();
  void sayHowToGoOn() const;

  const TuneArguments& m_arguments;
  const TuneMeaning& m_meaning;
  const PreparedPipeline m_prepared;
  const Graph m_graph;  ///< graph of m_prepared, with absolute paths
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
  std::optional<double> m_lastRate;  ///< rate of the last measured trial
  bool m_replaying = false;          ///< the current trial was measured before
  std::optional<int> m_coreLimit;    ///< for a replay: fewer cores than its trials had

  mutable Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  Diagnosis* m_diagnosis MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace::cli
