// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/jobs/tune/tune_keeper.h"
#include "core/jobs/tune/tune_observer.h"
#include "core/jobs/tune/tune_task.h"
#include "core/tune/tuner/tuner.h"

namespace millrace {

/// The outcome of a trial, measured now or before.
struct TriedSetting {
  TrialOutcome outcome;
  bool overMemory = false;
  double seconds = 0;  ///< duration of its process
};

/// The judgement that is reported to the tuner and written to the log.
struct JudgedTrial {
  TunerObservation told;
  TuneStep::State state = TuneStep::State::Measured;
  std::string reason;  ///< why it failed
};

/// Enters trials into the outcome: judges them by the goal and the limits, keeps those that count
/// in the store, and reports each to the observer. One thread.
class TuneBook {
 public:
  /// All arguments must outlive the book.
  TuneBook(const TuneTask& task, const TuneClock& clock, TuneOutcome& outcome,
           TuneJobObserver& observer)
      : m_task(task), m_clock(clock), m_outcome(outcome), m_observer(observer) {}

  /// `keeper` outlives the book.
  void keepIn(TuneKeeper& keeper) { m_keeper = &keeper; }
  /// From now on `tuner`, which outlives the book, decides which trials are measured again.
  void follow(const Tuner& tuner) { m_tuner = &tuner; }
  TuneKeeper* keeper() const { return m_keeper; }
  /// nullptr during the first trial.
  const Tuner* tuner() const { return m_tuner; }

  /// A trial of that setting begins. A replayed one is kept already.
  void begin(std::size_t setting, bool replayed, const std::string& runId = {});
  /// Judges the trial that began last. `report`: its data, for the store.
  JudgedTrial judge(std::size_t setting, TriedSetting tried, const TrialReport& report);
  /// The trial that began last does not count, as in the kept tuning. `reason`: empty if it was
  /// disturbed.
  void replace(std::size_t setting, const std::string& reason);
  /// The tuner has taken a measured trial. `replaced`: it will be measured again.
  void reportMeasured(std::size_t setting, bool replaced);
  void updateGains();
  double secondsLeft() const;

 private:
  JudgedTrial fail(std::size_t setting, const std::string& reason, TunerObservation::Kind kind);
  JudgedTrial count(std::size_t setting, SpanFigures figures, double score,
                    const TrialReport& report);
  void dropRepeat(std::size_t setting);
  void reportEnd(std::size_t setting, TrialEndedEvent::State kind, const std::string& reason,
                 std::optional<double> rate);
  /// Keeps the current trial; nullptr if it is not kept or was kept before.
  TuneKeeper* writer() const { return m_replaying ? nullptr : m_keeper; }

  const TuneTask& m_task;
  const TuneClock& m_clock;
  TuneOutcome& m_outcome;
  TuneJobObserver& m_observer;
  TuneKeeper* m_keeper = nullptr;
  const Tuner* m_tuner = nullptr;
  std::optional<double> m_lastRate;  ///< rate of the last measured trial
  bool m_replaying = false;          ///< the current trial was measured before
};

}  // namespace millrace
