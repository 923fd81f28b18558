// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/measure/run_observer.h"

namespace millrace::cli {

/// Prints, in a line that is updated in place, that a repeat waits for the cores.
void printWaiting(double mostSeconds);

/// A line on standard error that shows a run's progress, updated in place; only on a terminal.
class ProgressLine final : public RunObserver {
 public:
  explicit ProgressLine(bool enabled) : m_enabled(enabled) {}
  ~ProgressLine() override { clear(); }

  void onWaiting(const RunPhase& phase) override;
  void onSnapshot(const RunSnapshot& snapshot) override;
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override;
  void clear();

 private:
  bool m_enabled;
  bool m_shown = false;
  std::uint64_t m_lastSamples = 0;
  double m_lastSeconds = 0;
};

}  // namespace millrace::cli
