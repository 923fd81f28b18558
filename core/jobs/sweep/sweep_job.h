// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/jobs/common/job_observer.h"
#include "core/jobs/common/keep_settings.h"
#include "core/jobs/search/search_keeper.h"
#include "core/jobs/sweep/sweep_check.h"
#include "core/jobs/sweep/sweep_request.h"
#include "core/tune/sweep/sweep_outcome.h"

namespace millrace {

class SweepKeeper;
struct SweepSubject;

/// How a sweep is measured and kept, besides the pipeline and its settings.
struct SweepJobSettings {
  std::string pipeline;     ///< file or example as entered, for records
  std::size_t blocks = 3;   ///< repeats of each setting
  MeasureSettings measure;  ///< of one trial, which is one repeat
  bool fused = true;        ///< whether trials fuse nodes, for records
  KeepSettings keep;        ///< an empty experiment: a name is chosen
  /// Kept with the sweep, so that it can be continued without its flags; its document is filled in.
  SweepRequest request;
  /// Continue the stopped sweep of this experiment; empty: the newest of the same settings. It
  /// must be kept.
  std::optional<std::string> resumed;
};

/// A sweep before its first trial.
struct SweepBegin {
  const SweepPlan& plan;
  std::string experiment;                 ///< empty: not kept
  const std::vector<PointState>& points;  ///< one for each setting; a continued sweep has repeats
  std::vector<std::string> runIds;        ///< one for each setting; empty texts: not begun
  std::size_t trials = 0;                 ///< that are to be measured
  double secondsPerTrial = 0;             ///< as expected before any was measured
};

/// Notified on the thread of SweepJob::run.
class SweepJobObserver : public JobObserver {
 public:
  virtual void onBegin(const SweepBegin&) {}
  /// `runId`: the run that keeps the trial; empty: none.
  virtual void onTrial(const TrialStep&, const std::string& /*runId*/) {}
  /// The trial counts. `all`: the figures of all repeats of its setting.
  virtual void onMeasured(const TrialStep&, const SpanFigures& /*repeat*/,
                          const SpanFigures& /*all*/) {}
  /// The trial was disturbed and is measured again.
  virtual void onReplaced(const TrialStep&, const SpanFigures& /*repeat*/) {}
  /// The setting failed and is not tried again. `all`: the figures of its earlier repeats.
  virtual void onFailed(const TrialStep&, const std::string& /*reason*/,
                        const SpanFigures& /*all*/) {}
};

/// One sweep: keeps it, measures every setting in interleaved blocks (core/tune/sweep), and
/// analyses. `run` once, on one thread; `stop` from any.
class SweepJob final : private SweepObserver {
 public:
  /// `trial` and `observer` must outlive the job.
  SweepJob(PreparedSweep sweep, SweepJobSettings settings, GraphTrial& trial,
           SweepJobObserver& observer);
  ~SweepJob() override;

  /// A stopped sweep is an outcome, too (SweepResult::stopped). The error says why it cannot begin:
  /// there is no such sweep to continue, or the experiment has one. Then nothing was measured.
  Result<SweepOutcome> run();
  /// Ends the current trial, which does not count; `run` returns.
  void stop();

 private:
  class Points;

  void onTrial(const TrialStep& step) override;
  void onMeasured(const TrialStep& step, const SpanFigures& figures) override;
  void onReplaced(const TrialStep& step, const SpanFigures& figures) override;
  void onFailed(const TrialStep& step, const std::string& reason) override;

  Facts findFacts() const;
  SweepSubject subject() const;
  Status beginKeeping();
  Status continueKept();
  SweepBegin begun() const;
  double secondsPerTrial() const;
  SweepResult measure();
  std::vector<std::string> runIds() const;
  SweepOutcome outcomeOf(SweepResult result) const;

  const PreparedSweep m_sweep;
  const SweepJobSettings m_settings;
  GraphTrial& m_trial;
  SweepJobObserver& m_observer;
  std::vector<PointState> m_points;  ///< as far as this thread was notified
  std::unique_ptr<SweepKeeper> m_keeper;

  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  SweepMeasurement* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
