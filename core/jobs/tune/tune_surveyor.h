// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/base/mutex.h"
#include "core/jobs/tune/tune_keeper.h"
#include "core/jobs/tune/tune_observer.h"
#include "core/jobs/tune/tune_task.h"
#include "core/tune/tuner/tuner_types.h"

namespace millrace {

/// Finds out what the search should know before it begins: the memory for caches and, if the budget
/// is long enough, what limits the pipeline. A kept tuning's survey is used again. One thread;
/// `stop` from any.
class TuneSurveyor {
 public:
  /// All arguments must outlive this object.
  TuneSurveyor(const TuneTask& task, TuneClock& clock, TuneOutcome& outcome,
               TuneJobObserver& observer)
      : m_task(task), m_clock(clock), m_outcome(outcome), m_observer(observer) {}

  /// `start`: the observation of the first trial. `keeper`: where the survey is logged, or nullptr.
  /// False if it was stopped, or if a replay lacks the data (TuneOutcome::missing).
  bool run(const TunerObservation& start, TuneKeeper* keeper);
  /// What is known so far.
  const TuneSurvey& survey() const { return m_survey; }
  /// The score that the consumer's own time allows, if it is known.
  std::optional<double> ceiling() const;
  void stop();

 private:
  bool takeKept(const TuneSurvey& kept, bool wanted);
  void diagnose();
  DiagnosisSettings diagnosisSettings() const;
  bool stopped() const;

  const TuneTask& m_task;
  TuneClock& m_clock;
  TuneOutcome& m_outcome;
  TuneJobObserver& m_observer;
  TuneSurvey m_survey;

  mutable Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  Diagnosis* m_diagnosis MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
