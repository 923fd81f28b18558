// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/jobs/common/job_input.h"
#include "core/jobs/run/run_job.h"
#include "core/measure/data_facts.h"
#include "core/ranks/rank_processes.h"
#include "core/ranks/rank_socket.h"

namespace millrace {

/// What to measure with several processes. `cold`, `trace` and `awaitStart` of `run` are not used:
/// they exclude ranks. Value.
struct RankedRunSettings {
  RunJobSettings run;
  std::size_t ranks = 1;
  std::string maxFailures = "1%";  ///< the limit of failed samples as `--max-failures` takes it
  /// The command line program that each rank runs. The running program by default, even if its file
  /// was replaced meanwhile.
  std::string program = "/proc/self/exe";
  /// Where the other ranks come to, if a launcher starts them. Without one all ranks are children.
  std::optional<RankRendezvous> rendezvous = {};
};

/// Rank 0's pipeline, and the node that splits the data.
struct RankedPipeline {
  PreparedPipeline prepared;
  NodeId shard;
};

/// What becomes of a pipeline without a node that splits the data.
enum class NoShard : std::uint8_t { Refuse, Insert };

/// preparePipeline for rank 0 of `ranks`. nullopt: see `problems`.
std::optional<RankedPipeline> prepareForRanks(const PipelineRequest& request, std::size_t ranks,
                                              NoShard noShard, SampleDataObserver& observer,
                                              Problems& problems);

/// Makes this process a rank that a launcher started: from here on it runs `settings.program`,
/// whose standard input and output are the connection to rank 0. Returns only if that fails.
Error becomeRank(const RankedPipeline& pipeline, const RankedRunSettings& settings,
                 const LaunchedRank& rank, const JoinedRank& joined);

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
  std::vector<RankStart> starts(const std::string& document, std::vector<RankSocket> launched);
  void collectFacts();
  RunResult measure(RankProcesses& processes, StoreRecorder* recorder);

  const RankedPipeline m_pipeline;
  RankedRunSettings m_settings;
  RunJobObserver& m_observer;
  const std::vector<std::string> m_gpus;
  Facts m_facts;
  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  RankProcesses* m_processes MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
