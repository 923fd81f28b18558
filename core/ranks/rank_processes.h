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
#include "core/base/result.h"
#include "core/events/event_reader.h"
#include "core/run/run_observer.h"
#include "core/run/run_result.h"
#include "core/tune/trial_process.h"

namespace millrace {

/// How one rank is started.
struct RankCommand {
  std::vector<std::string> words;  ///< an executable's path and its arguments
  std::string gpu;                 ///< its CUDA_VISIBLE_DEVICES; empty: it inherits that
};

/// Runs one pipeline in several processes at the same time, each of which tells an event stream and
/// waits before each repeat until it is told to begin (`millrace run --events --await-start`): none
/// begins before all are ready. Each knows by its environment which rank it is (core/base/rank).
/// When one fails the others are stopped. The processes end with this one, however it ends.
/// Monitor.
class RankProcesses {
 public:
  /// `observer` hears of all ranks as of one run, one call at a time: phases of rank 0, snapshots,
  /// failed samples with their rank, and each repeat once every rank has told it. It outlives this.
  RankProcesses(const std::vector<RankCommand>& commands, const std::filesystem::path& meeting,
                RunObserver& observer);
  ~RankProcesses();

  /// Once. Gathered by core/ranks/gathered_figures; `failed` with the rank and its last words where
  /// one failed, and then without the repeat that it failed in.
  RunResult run();
  /// Interrupts all ranks: they take no new samples and tell what they have measured. From any
  /// thread, also before `run`.
  void stop();

 private:
  struct Member;

  void runMember(Member& member);
  void hear(Member& member, const StreamEvent& event) MILLRACE_REQUIRES(m_mutex);
  void hearReady(Member& member) MILLRACE_REQUIRES(m_mutex);
  void hearSnapshot(Member& member, const SnapshotEvent& event) MILLRACE_REQUIRES(m_mutex);
  void hearRepeat(Member& member, const SpanFigures& figures) MILLRACE_REQUIRES(m_mutex);
  void hearProblem(Member& member, const ProblemEvent& event) MILLRACE_REQUIRES(m_mutex);
  void ended(Member& member, const Result<TrialEnd>& end) MILLRACE_REQUIRES(m_mutex);
  RunResult gathered() MILLRACE_REQUIRES(m_mutex);

  RunObserver& m_observer;
  Mutex m_mutex;
  std::vector<std::unique_ptr<Member>> m_members;  ///< constant; what is in them by m_mutex
  std::vector<SpanFigures> m_repeats MILLRACE_GUARDED_BY(m_mutex);
  std::optional<std::string> m_failure
      MILLRACE_GUARDED_BY(m_mutex);                 ///< the first rank's that failed
  bool m_cut MILLRACE_GUARDED_BY(m_mutex) = false;  ///< a rank was stopped before its end
};

}  // namespace millrace
