// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/events/stream/event_json.h"
#include "core/events/stream/event_writer.h"
#include "core/measure/run_observer.h"

namespace millrace {

/// Writes the event stream of a run (docs/reference/event-stream.md). The functions of RunObserver
/// are called as MeasuredRun calls them, the others by any thread.
class EventObserver final : public RunObserver {
 public:
  /// Begins the stream on this file descriptor. `identity` must outlive the observer.
  EventObserver(int descriptor, PlanEvent plan, const RunIdentity& identity);

  void onWaiting(const RunPhase& phase) override;
  void onPhase(const RunPhase& phase) override;
  void onSnapshot(const RunSnapshot& snapshot) override;
  void onWindow(std::size_t repeat, const RateWindow& window) override;
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override;
  void onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) override;
  void ready(std::size_t repeat);
  void problem(const Problem& problem);
  void answer(std::int64_t id, const std::string& error);
  void record(const RecordEvent& event);
  void result(const RunResult& result);
  void page(const std::string& text);

 private:
  const PlanEvent m_plan;
  const RunIdentity& m_identity;
  EventWriter m_writer;
};

}  // namespace millrace
