// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/sweep/sweep_events.h"

#include <utility>

#include "core/events/search/sweep_json.h"
#include "core/events/stream/steady_seconds.h"

namespace millrace {

void SweepEvents::sweep(const SweepBegin& begin, std::size_t blocks) {
  write(eventLine(steadySeconds(),
                  sweepEventOf(begin.plan, begin.experiment, blocks, begin.points, begin.runIds)));
}

void SweepEvents::trialBegun(const TrialStep& step, const std::string& runId) {
  TrialBegunEvent event;
  event.trial = step.point;
  event.repeat = step.block + 1;
  event.done = step.done;
  event.of = step.of;
  event.secondsLeft = step.secondsLeft;
  event.runId = runId;
  write(eventLine(steadySeconds(), event));
}

void SweepEvents::measured(const TrialStep& step, const SpanFigures& repeat,
                           const SpanFigures& all) {
  TrialEndedEvent event;
  event.state = TrialEndedEvent::State::Measured;
  event.rate = repeat.samplesPerSecond.mean;
  event.samplesPerSecond = all.samplesPerSecond;
  trialEnded(step, std::move(event));
}

void SweepEvents::replaced(const TrialStep& step, const SpanFigures& repeat) {
  TrialEndedEvent event;
  event.state = TrialEndedEvent::State::Replaced;
  event.rate = repeat.samplesPerSecond.mean;
  trialEnded(step, std::move(event));
}

void SweepEvents::failed(const TrialStep& step, const std::string& reason, const SpanFigures& all) {
  TrialEndedEvent event;
  event.state = TrialEndedEvent::State::Failed;
  event.reason = reason;
  event.samplesPerSecond = all.samplesPerSecond;
  trialEnded(step, std::move(event));
}

void SweepEvents::trialEnded(const TrialStep& step, TrialEndedEvent event) {
  event.trial = step.point;
  event.repeat = step.block + 1;
  write(eventLine(steadySeconds(), event));
}

}  // namespace millrace
