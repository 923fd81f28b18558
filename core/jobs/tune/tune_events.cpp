// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_events.h"

#include "core/events/search/tune_json.h"
#include "core/events/stream/steady_seconds.h"

namespace millrace {

void TuneEvents::tune(const TuneOutcome& outcome) {
  write(eventLine(steadySeconds(), tuneEventOf(outcome)));
}

void TuneEvents::space(const TuneOutcome& outcome) {
  write(eventLine(steadySeconds(), tuneSpaceOf(outcome)));
}

void TuneEvents::trialBegun(const TuneOutcome& outcome, const TuneTrialBegin& begin) {
  write(eventLine(steadySeconds(),
                  trialBegunOf(outcome, begin.setting, begin.secondsLeft, begin.replayed)));
}

void TuneEvents::trialEnded(const TuneOutcome& outcome, const TuneTrialEnd& end) {
  TrialEndedEvent event = trialEndedOf(outcome, end.setting, end.best);
  event.state = end.kind;
  event.reason = end.reason;
  event.rate = end.rate;
  event.tuned->replayed = end.replayed;
  write(eventLine(steadySeconds(), event));
}

void TuneEvents::tuneEnded(const TuneOutcome& outcome) {
  write(eventLine(steadySeconds(), tuneEndedOf(outcome)));
}

}  // namespace millrace
