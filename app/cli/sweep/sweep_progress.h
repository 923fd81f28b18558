// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "core/events/stream/event_reader.h"
#include "core/tune/sweep/sweep_measurement.h"

namespace millrace::cli {

/// A line on standard error that shows a search's progress, updated in place; only on a terminal.
class SweepProgress {
 public:
  /// `settings`: the display text of a point.
  SweepProgress(bool enabled, std::function<std::string(std::size_t)> settings)
      : m_enabled(enabled), m_settings(std::move(settings)) {}
  ~SweepProgress() { clear(); }

  void clear();
  void step(const TrialStep& step);
  /// The trial waits for the cores before it begins; 0: it no longer waits.
  void waiting(double mostSeconds);
  void snapshot(const SnapshotEvent& snapshot);

 private:
  void show(double seconds, const std::string& what);

  const bool m_enabled;
  bool m_shown = false;
  const std::function<std::string(std::size_t)> m_settings;
  TrialStep m_step;
  std::uint64_t m_lastSamples = 0;
  double m_lastSeconds = 0;
};

}  // namespace millrace::cli
