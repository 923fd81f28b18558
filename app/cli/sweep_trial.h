// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/sweep_arguments.h"
#include "core/base/mutex.h"
#include "core/events/event_reader.h"
#include "core/graph/graph.h"
#include "core/tune/sweep_measurement.h"

namespace millrace::cli {

/// What a trial told while it ran, to be kept once it counts.
struct TrialTelling {
  std::vector<std::string> queues;  ///< of its plan, in order
  std::vector<RunSnapshot> snapshots;
  std::vector<RateWindow> windows;
  std::optional<RunResult> result;
  std::string problem;  ///< the first error of its check
};

/// Runs each trial as `millrace run --events` of this very program in a process of its own, which
/// gets the edited document through memory. Nothing is kept by the child.
class SweepTrialRunner final : public TrialRunner {
 public:
  /// `graph` has absolute paths. `onSnapshot` hears of the running trial on the thread of `run`.
  /// All that is given outlives the runner.
  SweepTrialRunner(const SweepPlan& plan, const Graph& graph, const SweepArguments& arguments,
                   const SweepMeaning& meaning,
                   std::function<void(const SnapshotEvent&)> onSnapshot);

  TrialOutcome run(std::size_t point) override;
  void stop() override;
  /// Of the last trial.
  const TrialTelling& telling() const { return m_telling; }

 private:
  std::vector<std::string> command(const std::string& document) const;
  void hear(const StreamEvent& event);
  TrialOutcome outcomeOf(const TrialEnd& end) const;
  std::string whyItFailed(const TrialEnd& end) const;

  const SweepPlan& m_plan;
  const Graph& m_graph;
  const SweepArguments& m_arguments;
  const SweepMeaning& m_meaning;
  const std::function<void(const SnapshotEvent&)> m_onSnapshot;
  TrialTelling m_telling;

  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  TrialProcess* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace::cli
