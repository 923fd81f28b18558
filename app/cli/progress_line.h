// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/run/run_observer.h"

namespace millrace::cli {

/// That a repeat waits for the cores, in a line that is renewed in place.
void printWaiting(double mostSeconds);

/// One line on standard error that says where a run is, renewed in place; only on a terminal.
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
