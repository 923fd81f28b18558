// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "app/cli/compare/comparison_progress.h"
#include "core/events/stream/wait_events.h"
#include "core/jobs/compare/comparison_job.h"

namespace millrace::cli {

/// Shows a comparison while it goes on: a progress line on a terminal, or the event stream.
class ComparisonScreen final : public ComparisonObserver {
 public:
  /// `prepared`: what preparing the sides found, for the event stream.
  ComparisonScreen(bool events, std::vector<Problem> prepared);

  /// nullptr without `--events`.
  ComparisonEvents* events() { return m_events ? &*m_events : nullptr; }
  /// Removes the progress line.
  void clear() { m_progress.clear(); }

  void onBegin() override;
  void onWarning(const Problem& problem) override;
  void onNotKept(const std::string& sentence) override;
  void onStep(const BlockStep& step) override;
  void onBlock(std::size_t index, const MeasuredBlock& block) override;
  void onReplaced(const MeasuredBlock& block) override;
  void onWaiting(const RunPhase& phase) override;
  void onPhase(const RunPhase& phase) override;
  void onSnapshot(const RunSnapshot& snapshot) override;

 private:
  const std::vector<Problem> m_prepared;
  ComparisonProgress m_progress;
  std::optional<ComparisonEvents> m_events;
  std::optional<WaitEvents> m_waits;
};

}  // namespace millrace::cli
