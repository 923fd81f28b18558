// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/mutex.h"
#include "core/jobs/common/job_observer.h"
#include "core/jobs/common/keep_settings.h"
#include "core/jobs/run/page_cache_plan.h"
#include "core/measure/data_facts.h"
#include "core/open/pipeline_request.h"
#include "core/tune/diagnosis_outcome.h"

namespace millrace {

/// What to diagnose. Value.
struct DiagnoseSettings {
  std::string pipeline;  ///< the pipeline's name as the user gave it
  /// Length and number of measurements, and the failure limit. The job sets the rest.
  DiagnosisSettings diagnosis;
  bool noRandom = false;  ///< how the pipeline was prepared
  bool fuse = true;       ///< how the pipeline was prepared
  PageCacheRequest pageCache = PageCacheRequest::AsFound;
  KeepSettings keep;            ///< for the run of the unmodified pipeline
  std::filesystem::path apply;  ///< write the pipeline with the first advised edit, if any, there
};

/// Is notified of a diagnosis, on the threads that DiagnosisObserver names.
class DiagnoseObserver : public DiagnosisObserver, public JobObserver {
 public:
  /// The run of the unmodified pipeline is in the store, if it is kept, and is measured next.
  virtual void onBegin() {}
};

/// Finds what limits a pipeline and what to change, keeps the unmodified pipeline's run with the
/// finding and the prediction, and writes the edited pipeline. `run` once, on one thread; `stop`
/// from any thread, at any time.
class DiagnoseJob {
 public:
  /// Checks how much of the data is in the page cache. The observer must outlive the job.
  DiagnoseJob(PreparedPipeline prepared, DiagnoseSettings settings, DiagnoseObserver& observer);
  ~DiagnoseJob();
  DiagnoseJob(const DiagnoseJob&) = delete;
  DiagnoseJob& operator=(const DiagnoseJob&) = delete;

  /// Blocks until the diagnosis has ended. An error if it could not begin; one that fails or is
  /// stopped later is an outcome.
  Result<DiagnosisOutcome> run();
  /// Ends it after the batches in progress; complete blocks count. Also before `run`.
  void stop();

 private:
  class Baseline;

  void warnOfOrder();
  void collectFacts();
  void beginStore(DiagnosisOutcome& outcome);
  Result<Plan> planWith(const Advice& advice) const;
  DiagnosisSettings diagnosisSettings();
  DiagnosisResult diagnose(const CacheSet& caches);
  void keep(const DiagnosisResult& result);
  void keepPrediction(const DiagnosisResult& result);
  std::string whyUnchanged(const DiagnosisResult& result) const;
  Status apply(DiagnosisOutcome& outcome) const;

  const PreparedPipeline m_prepared;
  DiagnoseSettings m_settings;
  DiagnoseObserver& m_observer;
  PageCachePlan m_pageCache;
  Facts m_facts;
  std::unique_ptr<StoreRecorder> m_recorder;
  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  Diagnosis* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
