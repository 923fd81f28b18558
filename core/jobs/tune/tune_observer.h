// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/events/search/search_events.h"
#include "core/jobs/common/job_observer.h"
#include "core/tune/tuner/tune_outcome.h"

namespace millrace {

/// A trial of a tuning begins. `TuneOutcome::settings` has its setting.
struct TuneTrialBegin {
  std::size_t setting = 0;
  double secondsLeft = 0;  ///< of the budget
  bool replayed = false;   ///< taken from a kept tuning
};

/// A trial of a tuning ended.
struct TuneTrialEnd {
  std::size_t setting = 0;
  /// Replaced: it does not count and is measured again; without a reason, it was disturbed.
  TrialEndedEvent::State kind = TrialEndedEvent::State::Measured;
  std::string reason;               ///< why it failed
  std::optional<double> rate;       ///< rate of this repeat
  std::optional<std::size_t> best;  ///< the best setting so far
  bool replayed = false;            ///< taken from a kept tuning
};

/// Notified on the thread of TuneJob::run, with the outcome so far.
class TuneJobObserver : public JobObserver {
 public:
  /// The first trial, of the unmodified pipeline, comes next.
  virtual void onBegin(const TuneOutcome&) {}
  /// A diagnosis begins, after the first trial. Its observer lives until the diagnosis ends;
  /// nullptr: none.
  virtual std::unique_ptr<DiagnosisObserver> observeDiagnosis() { return nullptr; }
  /// The axes are known; the search begins.
  virtual void onSpace(const TuneOutcome&) {}
  virtual void onTrialBegin(const TuneOutcome&, const TuneTrialBegin&) {}
  virtual void onTrialEnd(const TuneOutcome&, const TuneTrialEnd&) {}
};

}  // namespace millrace
