// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep/sweep_events.h"

#include "core/events/search/sweep_json.h"
#include "core/events/stream/steady_seconds.h"

namespace millrace::cli {

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

void SweepEvents::trialEnded(const TrialStep& step, TrialEndedEvent event) {
  event.trial = step.point;
  event.repeat = step.block + 1;
  write(eventLine(steadySeconds(), event));
}

}  // namespace millrace::cli
