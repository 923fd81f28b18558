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
#include "core/events/stream/event_reader.h"
#include "core/measure/run_observer.h"
#include "core/measure/run_result.h"
#include "core/ranks/rank_socket.h"
#include "core/tune/trial_process.h"

namespace millrace {

/// One rank: a command that starts it, or the connection to a process that a launcher started.
struct RankStart {
  std::vector<std::string> words;  ///< path of the executable, then its arguments
  std::string gpu;                 ///< its CUDA_VISIBLE_DEVICES; empty: inherited
  RankSocket socket = RankSocket();
};

/// Runs one pipeline in several processes at the same time. Each process writes an event stream and
/// waits before every repeat for a request to start it (`millrace run --events --await-start`), so
/// no rank starts a repeat before all are ready. A process learns its rank from environment
/// variables (core/base/rank). When one rank fails, the others are stopped. A rank ends when this
/// object's process does. Use on one thread; `stop` from any.
class RankProcesses {
 public:
  /// `observer` is called as for a single run, one call at a time: phases of rank 0, combined
  /// snapshots, failed samples with their rank, and each repeat once every rank has reported it. It
  /// must outlive this object.
  RankProcesses(std::vector<RankStart> starts, const std::filesystem::path& rendezvous,
                RunObserver& observer);
  ~RankProcesses();

  /// Call once; blocks until every rank has ended. Figures are combined by
  /// core/ranks/gathered_figures. If a rank failed, the outcome is `Failed`, the reason names the
  /// rank and its last error, and the repeat during which it failed is missing.
  RunResult run();
  /// Interrupts all ranks: they take no new samples and report what they have measured. Any thread,
  /// also before `run`.
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
  /// The vector is constant; its members are guarded by m_mutex.
  std::vector<std::unique_ptr<Member>> m_members;
  std::vector<SpanFigures> m_repeats MILLRACE_GUARDED_BY(m_mutex);
  /// Of the rank that failed first.
  std::optional<std::string> m_failure MILLRACE_GUARDED_BY(m_mutex);
  bool m_cut MILLRACE_GUARDED_BY(m_mutex) = false;  ///< a rank was stopped before it finished
};

}  // namespace millrace
