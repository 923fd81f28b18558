// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/events/stream/event_json.h"
#include "core/jobs/common/job_observer.h"
#include "core/jobs/common/keep_settings.h"
#include "core/measure/data_facts.h"
#include "core/own_loader/loader_limit.h"
#include "core/own_loader/loader_run.h"

namespace millrace {

/// What to measure. Value.
struct LoaderJobSettings {
  OwnLoader loader;
  MeasureSettings measure;
  KeepSettings keep;
};

/// Is notified of a measured loader, in the order of LoaderRun's calls.
class LoaderJobObserver : public LoaderRunObserver, public JobObserver {
 public:
  /// The first batch has come, and the run is in the store, if it is kept. On the sampling thread;
  /// the identity is valid as long as the job.
  virtual void onBegin(const PlanEvent&, const RunIdentity&, const LoaderFacts&) {}
};

/// How a run of a loader ended. Value.
struct LoaderJobOutcome {
  RunIdentity identity;
  LoaderFacts facts;
  RunResult result;
  LimitFinding limit;  ///< what limits the rate
  std::vector<LoaderAdvice> advice;
  /// Of all batches: none lay in the queue between workers and program when it was asked for.
  std::optional<double> queueEmpty;
  /// "323 ms until the first batch, 21 % of the time"; empty if no second epoch began.
  std::string epochStart;
  std::vector<Problem> warnings;

  /// The share of time in which the loader's workers made batches, from 0 to 1; nullopt if it has
  /// none, or if the steps inside it were not seen.
  std::optional<double> workersBusy() const;
};

/// The nodes and stages of a loader's figures, in the form of a pipeline's plan, and what it is.
PlanEvent loaderPlan(const OwnLoader& loader, const LoaderFacts& facts);

/// Measures a user's loader and keeps the run while it goes on. `run` once, on one thread; `stop`
/// from any, at any time.
class LoaderJob {
 public:
  /// The observer must outlive the job.
  LoaderJob(LoaderJobSettings settings, LoaderJobObserver& observer);
  ~LoaderJob();
  LoaderJob(const LoaderJob&) = delete;
  LoaderJob& operator=(const LoaderJob&) = delete;

  /// Blocks until the run has ended. An error if no batch came; nothing is kept then.
  Result<LoaderJobOutcome> run();
  void stop();

 private:
  class Work;

  const LoaderJobSettings m_settings;
  LoaderJobObserver& m_observer;
  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  Work* m_work MILLRACE_GUARDED_BY(m_mutex) = nullptr;  ///< while it is measured
};

}  // namespace millrace
