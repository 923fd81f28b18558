// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/sweep_trial.h"
#include "core/run/data_facts.h"
#include "core/run/store_recorder.h"
#include "core/store/run_store.h"

namespace millrace::cli {

/// What is swept, for the store.
struct SweepSubject {
  const SweepPlan* plan = nullptr;
  const Graph* graph = nullptr;         ///< with absolute paths
  std::vector<SettingRecord> settings;  ///< of the pipeline as it is, defaults included
  std::string pipeline;                 ///< file or example as given
  RunLabels labels;                     ///< an empty experiment: one is named
  std::size_t blocks = 0;
  Facts facts;
};

/// A sweep that was stopped, as the store has it.
struct StoppedSweep {
  SearchSummary search;
  std::vector<PointState> points;
};

/// The newest sweep of just these points that was stopped, or that of `experiment`. The error says
/// that there is none, or why it cannot go on here.
Result<StoppedSweep> stoppedSweep(const std::filesystem::path& file, const SweepSubject& subject,
                                  const std::string& experiment);

/// Keeps a sweep in the store while it goes on: all its trials in one experiment, a run for each
/// point with its blocks as repeats, each repeat once it counts. What the store refuses is said
/// once on standard error; the sweep goes on. One thread.
class SweepKeeper {
 public:
  /// The error: nothing can be kept, or (`experimentTaken`) the experiment has a sweep already.
  static Result<std::unique_ptr<SweepKeeper>> begin(const std::filesystem::path& file,
                                                    const SweepSubject& subject,
                                                    bool& experimentTaken);
  static Result<std::unique_ptr<SweepKeeper>> goOn(const std::filesystem::path& file,
                                                   const SweepSubject& subject,
                                                   const StoppedSweep& stopped);

  const std::string& experiment() const { return m_subject.labels.experiment; }
  /// "12"; empty: this point was not begun.
  std::string runId(std::size_t point) const;

  void beginTrial(std::size_t point);
  /// The trial counts, as repeat `block`; `figures` are of all the point's repeats.
  void keepTrial(std::size_t point, std::size_t block, const TrialTelling& telling,
                 const SpanFigures& figures);
  /// The point is still to be measured.
  void dropTrial(std::size_t point);
  void failTrial(std::size_t point, const std::string& reason, const SpanFigures& figures);
  /// The sweep ends here: runs that are not whole are interrupted.
  void finish(const std::vector<SpanFigures>& figures);

 private:
  SweepKeeper(std::filesystem::path file, RunStore store, SweepSubject subject)
      : m_file(std::move(file)), m_store(std::move(store)), m_subject(std::move(subject)) {}

  /// Goes on with a point's run, or ends it where only that is missing.
  Status takeUp(std::size_t point, const PointState& state);
  void endTrial(std::size_t point, const SpanFigures& figures);
  Status beginRun(std::size_t point);
  Status finishRun(std::size_t point, RunState state, const std::string& reason,
                   const SpanFigures& figures);
  void say(const Status& kept);

  const std::filesystem::path m_file;
  RunStore m_store;
  SweepSubject m_subject;
  std::vector<TrialRecord> m_trials;
  std::vector<bool> m_open;  ///< the run is begun and not finished
  bool m_complained = false;
};

}  // namespace millrace::cli
