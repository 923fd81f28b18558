// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/events/event_reader.h"
#include "core/graph/graph.h"
#include "core/run/measured_run.h"
#include "core/tune/sweep_measurement.h"
#include "core/tune/trial_process.h"

namespace millrace::cli {

/// How every trial of a search is measured: one repeat in a process of its own.
struct TrialRules {
  MeasureSettings measure;
  TrialLimits limits;
  std::string maxFailures = "1%";
  bool noFuse = false;
  std::string memoryFlag = "--trial-memory";  ///< that sets the limit, for the sentence about it
};

/// Who hears of the running trial, on the thread of `run`.
struct TrialHearer {
  std::function<void(const SnapshotEvent&)> onSnapshot;
  /// It waits for the cores before it begins, this many seconds at most; 0: no longer.
  std::function<void(double)> onWaiting;
};

/// What a trial told while it ran, to be kept once it counts.
struct TrialTelling {
  std::vector<std::string> queues;  ///< of its plan, in order
  std::vector<RunSnapshot> snapshots;
  std::vector<RateWindow> windows;
  std::optional<RunResult> result;
  std::string problem;      ///< the first error of its check
  bool overMemory = false;  ///< it was ended because it took more than it may
};

/// Runs documents as `millrace run --events` of this very program in a process of its own, which
/// gets the document through memory. Nothing is kept by the child. `run` on one thread; `stop` from
/// any: ends the trial that goes on and lets no other begin.
class GraphTrial {
 public:
  GraphTrial(TrialRules rules, TrialHearer hearer);

  /// `graph` has absolute paths.
  TrialOutcome run(const Graph& graph);
  void stop();
  /// Of the last trial.
  const TrialTelling& telling() const { return m_telling; }

 private:
  std::vector<std::string> command(const std::string& document) const;
  void awaitCores();
  void hear(const StreamEvent& event);
  TrialOutcome outcomeOf(const TrialEnd& end) const;
  std::string whyItFailed(const TrialEnd& end) const;

  const TrialRules m_rules;
  const TrialHearer m_hearer;
  TrialTelling m_telling;

  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  TrialProcess* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace::cli
