// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/events/event_reader.h"
#include "core/tune/sweep_measurement.h"
#include "core/tune/sweep_plan.h"

namespace millrace::cli {

/// One line on standard error that says where a sweep is, renewed in place; only on a terminal.
class SweepProgress {
 public:
  SweepProgress(bool enabled, const SweepPlan& plan) : m_enabled(enabled), m_plan(plan) {}
  ~SweepProgress() { clear(); }

  void clear();
  void step(const TrialStep& step);
  void snapshot(const SnapshotEvent& snapshot);

 private:
  void show(double seconds, const std::string& what);

  const bool m_enabled;
  bool m_shown = false;
  const SweepPlan& m_plan;
  TrialStep m_step;
  std::uint64_t m_lastSamples = 0;
  double m_lastSeconds = 0;
};

}  // namespace millrace::cli
