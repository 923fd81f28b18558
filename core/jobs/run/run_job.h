// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/events/stream/event_json.h"
#include "core/events/trace/trace_writer.h"
#include "core/jobs/common/job_observer.h"
#include "core/jobs/common/keep_settings.h"
#include "core/jobs/run/start_gate.h"
#include "core/measure/data_facts.h"
#include "core/measure/measured_run.h"
#include "core/open/pipeline_request.h"

namespace millrace {

/// What to measure, and what to write besides. Value.
struct RunJobSettings {
  std::string pipeline;  ///< the pipeline's name as the user gave it
  MeasureSettings measure;
  bool fuse = true;  ///< whether the plan was made with fused nodes; kept as a fact
  KeepSettings keep;
  bool fingerprint = true;      ///< compute the fingerprint of the data's files
  bool cold = false;            ///< drop the data from the page cache before each repeat
  bool awaitStart = false;      ///< each repeat waits for RunJob::start
  std::filesystem::path trace;  ///< write a timeline of every thread there; empty: none
  std::filesystem::path dump;   ///< write the first batches to this folder; empty: none
  std::uint64_t dumpBatches = 8;
};

/// Is notified of a run. The functions of RunObserver are called as MeasuredRun calls them, the
/// others on the thread of `run`.
class RunJobObserver : public RunObserver, public JobObserver {
 public:
  /// What the store gets of the run besides its plan, for an observer that keeps it in another
  /// place: the document with absolute paths, and what is known about machine and data. Before
  /// onBegin.
  virtual void onRecord(const std::string& /*document*/, const Facts& /*facts*/) {}
  /// The run is in the store, if it is kept, and is measured next: `set` and `start` have an effect
  /// from now on. The plan is valid as long as the job, the identity during the call.
  virtual void onBegin(const Plan&, const RunIdentity&) {}
  /// With `awaitStart`: a repeat is ready and waits for RunJob::start.
  virtual void onReady(std::size_t /*repeat*/) {}
};

/// How a run ended. Value.
struct RunJobOutcome {
  RunIdentity identity;
  RunResult result;
  std::vector<Problem> warnings;      ///< about the figures and the data, once all is measured
  std::optional<TraceSummary> trace;  ///< set if a trace was requested
  std::vector<Problem> unwritten;     ///< requested files that are not complete
};

/// One run of a pipeline: measured, kept in the store while it goes on, and written to the
/// requested files. `run` once, on one thread; the other functions from any thread, at any time.
class RunJob {
 public:
  /// The observer must outlive the job.
  RunJob(PreparedPipeline prepared, RunJobSettings settings, RunJobObserver& observer);
  ~RunJob();
  RunJob(const RunJob&) = delete;
  RunJob& operator=(const RunJob&) = delete;

  /// Blocks until the run has ended. An error if it could not begin; a run that fails or is stopped
  /// later is an outcome, and is kept.
  Result<RunJobOutcome> run();
  /// Ends the run after the batches in progress; also before `run`.
  void stop();
  /// Changes a parameter that can be changed during a run. The error says why it was not changed.
  Status set(const std::string& node, const std::string& param, const std::string& value);
  /// Starts the repeat that waits (RunJobSettings::awaitStart). An error if none does.
  Status start();

 private:
  class Work;

  const PreparedPipeline m_prepared;
  const RunJobSettings m_settings;
  RunJobObserver& m_observer;
  StartGate m_gate;
  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  Work* m_work MILLRACE_GUARDED_BY(m_mutex) = nullptr;  ///< while it is measured
};

}  // namespace millrace
