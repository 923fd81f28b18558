// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run/run_control.h"
#include "app/cli/sweep/sweep_progress.h"
#include "app/cli/tune/tune_arguments.h"
#include "core/jobs/tune/tune_events.h"
#include "core/jobs/tune/tune_job.h"

namespace millrace::cli {

/// Reports a tuning to the user while it runs: on a terminal, or as events on standard output. Used
/// on the thread of the tuning.
class TuneScreen final : public TuneJobObserver, public TrialObserver {
 public:
  /// `warnings` are written as events when the tuning begins. Both must outlive the screen.
  TuneScreen(const TuneArguments& arguments, const std::vector<Problem>& warnings);

  /// Answers requests on standard input from the first event to `end`; a request or the end of the
  /// input calls `stop`, on another thread.
  void acceptRequests(std::function<void()> stop) { m_stop = std::move(stop); }
  /// The tuning ended: no request is answered any more, and the progress line is removed.
  void end();
  /// Writes the last events. `json`: the result in the form of `--json`, on one line.
  void result(const TuneOutcome& outcome, const std::string& json);

  void onNotKept(const std::string& sentence) override;
  void onBegin(const TuneOutcome& outcome) override;
  std::unique_ptr<DiagnosisObserver> observeDiagnosis() override;
  void onSpace(const TuneOutcome& outcome) override;
  void onTrialBegin(const TuneOutcome& outcome, const TuneTrialBegin& begin) override;
  void onTrialEnd(const TuneOutcome& outcome, const TuneTrialEnd& end) override;
  void onSnapshot(const SnapshotEvent& snapshot) override { m_progress.snapshot(snapshot); }
  void onWaiting(double mostSeconds) override;

 private:
  const TuneArguments& m_arguments;
  const std::vector<Problem>& m_warnings;
  const bool m_terminal;
  std::string m_setting;  ///< of the current trial, as text
  SweepProgress m_progress;
  std::function<void()> m_stop;
  std::optional<TuneEvents> m_events;
  std::optional<RequestReader> m_requests;
};

}  // namespace millrace::cli
