// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "app/cli/common/wait_events.h"
#include "app/cli/compare/comparison_events.h"
#include "core/jobs/compare/block_recorder.h"
#include "core/tune/diagnosis.h"

namespace millrace::cli {

/// Observes a diagnosis: shows its progress on a terminal, writes `progress` events, and keeps the
/// unmodified pipeline's repeats in the store once they count.
class DiagnosisProgress final : public DiagnosisObserver {
 public:
  /// `recorder` and `events` may be nullptr; both must outlive this object.
  DiagnosisProgress(bool terminal, StoreRecorder* recorder, ComparisonEvents* events);
  ~DiagnosisProgress() override { clear(); }

  void onStep(const DiagnosisStep& step) override;
  void onKept(const SpanFigures& figures) override;
  void onPhase(const RunPhase& phase) override;
  void onWaiting(const RunPhase& phase) override;
  void onSnapshot(const RunSnapshot& snapshot) override;
  void onWindow(std::size_t repeat, const RateWindow& window) override;
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) override;
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override;
  /// Removes the progress line.
  void clear();

 private:
  const bool m_terminal;
  StoreRecorder* const m_recorder;
  ComparisonEvents* const m_events;
  std::optional<WaitEvents> m_waits;
  std::optional<BlockRecorder> m_blocks;
  BlockRecorder* m_keeping = nullptr;  ///< while the unmodified pipeline runs
  std::size_t m_kept = 0;
  DiagnosisStep m_step;
  bool m_shown = false;
};

}  // namespace millrace::cli
