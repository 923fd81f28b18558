// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/measure/run_observer.h"

namespace millrace {

/// Forwards every call to several observers in the order in which they were added. They must
/// outlive it.
class Observers final : public RunObserver {
 public:
  void add(RunObserver& observer) { m_all.push_back(&observer); }

  void onWaiting(const RunPhase& phase) override {
    for (RunObserver* each : m_all) each->onWaiting(phase);
  }
  void onPhase(const RunPhase& phase) override {
    for (RunObserver* each : m_all) each->onPhase(phase);
  }
  void onSnapshot(const RunSnapshot& snapshot) override {
    for (RunObserver* each : m_all) each->onSnapshot(snapshot);
  }
  void onWindow(std::size_t repeat, const RateWindow& window) override {
    for (RunObserver* each : m_all) each->onWindow(repeat, window);
  }
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) override {
    for (RunObserver* each : m_all) each->onFailures(failures, total);
  }
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override {
    for (RunObserver* each : m_all) each->onRepeat(repeat, figures);
  }
  void onTrace(std::size_t repeat, const RunTrace& trace) override {
    for (RunObserver* each : m_all) each->onTrace(repeat, trace);
  }
  void onBatch(std::size_t repeat, const Batch& batch) override {
    for (RunObserver* each : m_all) each->onBatch(repeat, batch);
  }

 private:
  std::vector<RunObserver*> m_all;
};

}  // namespace millrace
