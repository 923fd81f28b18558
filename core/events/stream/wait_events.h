// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "core/events/stream/comparison_events.h"
#include "core/measure/run_observer.h"

namespace millrace {

/// Reports to an event stream that a measurement waits for the cores, and that it continues.
class WaitEvents final : public RunObserver {
 public:
  /// `events` must outlive this object.
  explicit WaitEvents(ComparisonEvents& events) : m_events(events) {}

  void onWaiting(const RunPhase& phase) override {
    m_waiting = true;
    m_events.waiting(phase.secondsLeft);
  }
  void onPhase(const RunPhase&) override {
    if (std::exchange(m_waiting, false)) m_events.waiting(0);
  }

 private:
  ComparisonEvents& m_events;
  bool m_waiting = false;
};

}  // namespace millrace
