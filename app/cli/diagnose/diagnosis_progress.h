// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/events/stream/comparison_events.h"
#include "core/events/stream/wait_events.h"
#include "core/tune/diagnosis.h"

namespace millrace::cli {

/// Shows the progress of a diagnosis on a terminal, and writes its `progress` events.
class DiagnosisProgress final : public DiagnosisObserver {
 public:
  /// `events` may be nullptr; it must outlive this object.
  DiagnosisProgress(bool terminal, ComparisonEvents* events);
  ~DiagnosisProgress() override { clear(); }

  void onStep(const DiagnosisStep& step) override;
  void onPhase(const RunPhase& phase) override;
  void onWaiting(const RunPhase& phase) override;
  void onSnapshot(const RunSnapshot& snapshot) override;
  /// Removes the progress line.
  void clear();

 private:
  const bool m_terminal;
  ComparisonEvents* const m_events;
  std::optional<WaitEvents> m_waits;
  DiagnosisStep m_step;
  bool m_shown = false;
};

}  // namespace millrace::cli
