// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/observed_events.h"

namespace millrace {

namespace {

/// Calls the observer's function for one type of event.
struct ToObserver {
  RunObserver& observer;

  void operator()(const WaitingEvent& event) const { observer.onWaiting(event.phase); }
  void operator()(const RunPhase& phase) const { observer.onPhase(phase); }
  void operator()(const SnapshotEvent& event) const { observer.onSnapshot(snapshotOf(event)); }
  void operator()(const WindowEvent& event) const { observer.onWindow(event.repeat, event.window); }
  void operator()(const RepeatEvent& event) const {
    observer.onRepeat(event.repeat, event.figures);
  }
  void operator()(const ProblemEvent& event) const {
    if (event.sample)
      observer.onFailures({{*event.sample, event.problem.message}}, event.failedSamples);
  }
  template <class Other>
  void operator()(const Other&) const {}
};

}  // namespace

RunSnapshot snapshotOf(const SnapshotEvent& event) {
  RunSnapshot snapshot;
  snapshot.phase = event.phase;
  snapshot.seconds = event.seconds;
  snapshot.totals.samples = event.samples;
  snapshot.totals.batches = event.batches;
  snapshot.host.cpuSeconds = event.cpuSeconds;
  snapshot.host.memory.rssBytes = event.rssBytes;
  snapshot.host.flows = event.flows;
  for (const SnapshotEvent::Queue& queue : event.queues) {
    QueueTotals& totals = snapshot.totals.queues.emplace_back();
    totals.fill = queue.fill;
    if (!queue.fillSeconds) continue;
    totals.fillSeconds = *queue.fillSeconds;
    totals.seconds = queue.seconds;
  }
  if (event.accelerator)
    snapshot.gpu = GpuNews{event.accelerator->name,
                           {GpuSample{snapshot.totals.at, event.accelerator->values}},
                           event.accelerator->ended};
  return snapshot;
}

void observe(const StreamEvent& event, RunObserver& observer) {
  std::visit(ToObserver{observer}, event.content);
}

}  // namespace millrace
