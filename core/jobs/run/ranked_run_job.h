// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/jobs/common/job_input.h"
#include "core/jobs/run/run_job.h"
#include "core/measure/data_facts.h"

namespace millrace {

class RankProcesses;

/// What to measure with several processes. `cold`, `trace` and `awaitStart` of `run` are not used:
/// they exclude ranks. Value.
struct RankedRunSettings {
  RunJobSettings run;
  std::size_t ranks = 1;
  std::string maxFailures = "1%";  ///< the limit of failed samples as `--max-failures` takes it
  /// The command line program that each rank runs. The running program by default, even if its file
  /// was replaced meanwhile.
  std::string program = "/proc/self/exe";
};

/// Rank 0's pipeline, and the node that splits the data.
struct RankedPipeline {
  PreparedPipeline prepared;
  NodeId shard;
};

/// preparePipeline for rank 0 of `ranks`. nullopt: see `problems`, for example because the pipeline
/// has no shard node.
std::optional<RankedPipeline> prepareForRanks(const PipelineRequest& request, std::size_t ranks,
                                              SampleDataObserver& observer, Problems& problems);

/// Runs a pipeline in several processes at the same time, each on its own part of the data, as one
/// run with one combined result, and keeps it. `run` once, on one thread; `stop` from any thread,
/// at any time.
class RankedRunJob {
 public:
  /// The observer must outlive the job.
  RankedRunJob(RankedPipeline pipeline, RankedRunSettings settings, RunJobObserver& observer);
  ~RankedRunJob();
  RankedRunJob(const RankedRunJob&) = delete;
  RankedRunJob& operator=(const RankedRunJob&) = delete;

  /// Blocks until every rank has ended. An error if nothing could begin.
  Result<RunJobOutcome> run();
  /// Ends the run after the batches in progress; also before `run`.
  void stop();

 private:
  bool stopped();
  std::vector<std::string> commandOf(std::size_t rank, const std::string& document) const;
  void collectFacts();
  RunResult measure(RankProcesses& processes, StoreRecorder* recorder);

  const RankedPipeline m_pipeline;
  const RankedRunSettings m_settings;
  RunJobObserver& m_observer;
  const std::vector<std::string> m_gpus;
  Facts m_facts;
  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  RankProcesses* m_processes MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
