// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/events/stream/event_reader.h"
#include "core/graph/graph.h"
#include "core/measure/run_observer.h"
#include "core/measure/run_result.h"
#include "core/tune/sweep/sweep_measurement.h"

namespace millrace {

/// Notified of the running trial, on the thread of GraphTrial::run.
class TrialObserver {
 public:
  virtual ~TrialObserver() = default;
  virtual void onSnapshot(const SnapshotEvent&) {}
  /// The trial waits for the cores before it begins, for at most so many seconds; 0: it no longer
  /// waits.
  virtual void onWaiting(double /*mostSeconds*/) {}
};

/// The data that a trial sent while it ran, to be kept once the trial counts.
struct TrialReport {
  std::vector<std::string> queues;  ///< queues of its plan, in order
  std::vector<RunSnapshot> snapshots;
  std::vector<RateWindow> windows;
  std::optional<RunResult> result;  ///< always there if the trial was measured
  std::string problem;              ///< the first error of its check
  bool overMemory = false;          ///< it was stopped because it exceeded its memory limit
};

/// Measures a pipeline once, for a search. `run` and `report` on one thread; `stop` from any thread
/// ends the current trial and prevents others.
class GraphTrial {
 public:
  virtual ~GraphTrial() = default;

  /// `graph` has absolute paths.
  virtual TrialOutcome run(const Graph& graph) = 0;
  virtual void stop() = 0;
  /// The last trial's data.
  virtual const TrialReport& report() const = 0;
};

}  // namespace millrace
