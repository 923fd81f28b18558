// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run/run_control.h"
#include "app/cli/sweep/sweep_arguments.h"
#include "app/cli/sweep/sweep_progress.h"
#include "core/jobs/sweep/sweep_events.h"
#include "core/jobs/sweep/sweep_job.h"

namespace millrace::cli {

/// Reports a sweep to the user while it runs: on a terminal, or as events on standard output. Used
/// on the thread of the sweep.
class SweepScreen final : public SweepJobObserver, public TrialObserver {
 public:
  /// `warnings` are written as events when the sweep begins. Both must outlive the screen.
  SweepScreen(const SweepArguments& arguments, const std::vector<Problem>& warnings);

  /// Answers requests on standard input from the first event to `end`; a request or the end of the
  /// input calls `stop`, on another thread.
  void acceptRequests(std::function<void()> stop) { m_stop = std::move(stop); }
  /// The sweep ended: no request is answered any more, and the progress line is removed.
  void end();
  /// Writes the last event. `json`: the result in the form of `--json`, on one line.
  void result(const std::string& json) { m_events->result(json); }

  void onNotKept(const std::string& sentence) override;
  void onBegin(const SweepBegin& begin) override;
  void onTrial(const TrialStep& step, const std::string& runId) override;
  void onMeasured(const TrialStep& step, const SpanFigures& repeat,
                  const SpanFigures& all) override;
  void onReplaced(const TrialStep& step, const SpanFigures& repeat) override;
  void onFailed(const TrialStep& step, const std::string& reason, const SpanFigures& all) override;
  void onSnapshot(const SnapshotEvent& snapshot) override { m_progress.snapshot(snapshot); }
  void onWaiting(double mostSeconds) override;

 private:
  void printWhatComes(const SweepBegin& begin) const;

  const SweepArguments& m_arguments;
  const std::vector<Problem>& m_warnings;
  SweepPlan m_plan;
  SweepProgress m_progress;
  std::function<void()> m_stop;
  std::optional<SweepEvents> m_events;
  std::optional<RequestReader> m_requests;
};

}  // namespace millrace::cli
