// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/run_observer.h"
#include "core/tune/block_measurement.h"

namespace millrace::cli {

/// A line on standard error that shows a comparison's progress, updated in place; only on a
/// terminal. Observes the repeats of all sides, and each step before them.
class ComparisonProgress final : public RunObserver {
 public:
  explicit ComparisonProgress(bool enabled) : m_enabled(enabled) {}
  ~ComparisonProgress() override { clear(); }

  /// A repeat begins.
  void step(const BlockStep& step);
  void onWaiting(const RunPhase& phase) override;
  void onSnapshot(const RunSnapshot& snapshot) override;
  void clear();

 private:
  bool m_enabled;
  bool m_shown = false;
  BlockStep m_step;
  std::uint64_t m_lastSamples = 0;
  double m_lastSeconds = 0;
};

}  // namespace millrace::cli
