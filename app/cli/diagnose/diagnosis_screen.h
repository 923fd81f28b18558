// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "app/cli/diagnose/diagnosis_progress.h"
#include "app/cli/run/run_control.h"
#include "core/jobs/diagnose/diagnose_job.h"

namespace millrace::cli {

/// Shows a diagnosis while it goes on: a progress line on a terminal, or the event stream with its
/// requests.
class DiagnosisScreen final : public DiagnoseObserver {
 public:
  /// `prepared`: what preparing the pipeline found, for the event stream. `stop` is called at the
  /// request `stop`, and when standard input ends.
  DiagnosisScreen(bool events, std::vector<Problem> prepared, std::function<void()> stop);

  /// nullptr without `--events` and before the diagnosis began.
  ComparisonEvents* events() { return m_events ? &*m_events : nullptr; }
  /// Removes the progress line and reads no more requests.
  void end();

  void onBegin() override;
  void onWarning(const Problem& problem) override;
  void onNotKept(const std::string& sentence) override;
  void onStep(const DiagnosisStep& step) override { m_progress->onStep(step); }
  void onWaiting(const RunPhase& phase) override { m_progress->onWaiting(phase); }
  void onPhase(const RunPhase& phase) override { m_progress->onPhase(phase); }
  void onSnapshot(const RunSnapshot& snapshot) override { m_progress->onSnapshot(snapshot); }

 private:
  const bool m_wanted;
  const std::vector<Problem> m_prepared;
  const std::function<void()> m_stop;
  std::optional<ComparisonEvents> m_events;
  std::optional<DiagnosisProgress> m_progress;  ///< set by onBegin, which precedes all others
  std::optional<RequestReader> m_requests;
};

}  // namespace millrace::cli
