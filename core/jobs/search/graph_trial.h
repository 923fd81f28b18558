// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/mutex.h"
#include "core/events/event_reader.h"
#include "core/graph/graph.h"
#include "core/measure/measured_run.h"
#include "core/tune/sweep/sweep_measurement.h"
#include "core/tune/trial_process.h"

namespace millrace {

/// How every trial of a search is measured: one repeat in a separate process.
struct TrialRules {
  MeasureSettings measure;
  TrialLimits limits;
  std::string maxFailures = "1%";
  bool noFuse = false;
  std::string memoryFlag = "--trial-memory";  ///< the flag that sets the limit, for the error text
};

/// Observers of the running trial; called on the thread of `run`.
struct TrialHearer {
  std::function<void(const SnapshotEvent&)> onSnapshot;
  /// The trial waits for the cores before it begins, for at most so many seconds; 0: it no longer
  /// waits.
  std::function<void(double)> onWaiting;
};

/// The data that a trial sent while it ran, to be kept once the trial counts.
struct TrialReport {
  std::vector<std::string> queues;  ///< queues of its plan, in order
  std::vector<RunSnapshot> snapshots;
  std::vector<RateWindow> windows;
  std::optional<RunResult> result;
  std::string problem;      ///< the first error of its check
  bool overMemory = false;  ///< it was stopped because it exceeded its memory limit
};

/// Runs documents with this program's `millrace run --events` in a separate process, which receives
/// the document through memory. The child keeps nothing. `run` on one thread; `stop` from any
/// thread ends the current trial and prevents others.
class GraphTrial {
 public:
  GraphTrial(TrialRules rules, TrialHearer hearer);

  /// `graph` has absolute paths.
  TrialOutcome run(const Graph& graph);
  void stop();
  /// The last trial's data.
  const TrialReport& telling() const { return m_telling; }

 private:
  std::vector<std::string> command(const std::string& document) const;
  void awaitCores();
  void hear(const StreamEvent& event);
  TrialOutcome outcomeOf(const TrialEnd& end) const;
  std::string whyItFailed(const TrialEnd& end) const;

  const TrialRules m_rules;
  const TrialHearer m_hearer;
  TrialReport m_telling;

  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  TrialProcess* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
