// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/measure/run_result.h"

namespace millrace {

/// Outcome of a trial, which is one repeat of one point.
struct TrialOutcome {
  enum class Kind : std::uint8_t { Measured, Failed, Stopped };
  Kind kind = Kind::Measured;
  std::string reason;   ///< if Failed: a sentence
  SpanFigures figures;  ///< if Measured
};

/// Runs trials. `run` on one thread; `stop` from any: ends the current trial and starts no other.
class TrialRunner {
 public:
  virtual ~TrialRunner() = default;
  virtual TrialOutcome run(std::size_t point) = 0;
  virtual void stop() = 0;
};

/// What was measured of a point so far; repeat k belongs to block k.
struct PointState {
  std::vector<SpanFigures> repeats;
  std::string failure;  ///< empty if it has not failed; a failed point is not tried again

  bool failed() const { return !failure.empty(); }
};

struct SweepSettings {
  std::size_t blocks = 3;  ///< repeats of each point
  std::uint64_t seed = 0;  ///< for the order within blocks
  /// Up to this many disturbed trials are measured again at the end of their block; later ones
  /// count although they are disturbed.
  std::size_t mostReplaced = 0;
  double secondsPerTrial = 7;  ///< assumed until one was measured, for the time left
};

/// Progress of a sweep: a trial begins.
struct TrialStep {
  std::size_t point = 0;
  std::size_t block = 0;   ///< from 0
  std::size_t done = 0;    ///< trials before this one
  std::size_t of = 0;      ///< trials in total, without those of failed points
  double secondsLeft = 0;  ///< for everything, including this trial
};

/// Notified on the thread of SweepMeasurement::run.
class SweepObserver {
 public:
  virtual ~SweepObserver() = default;
  virtual void onTrial(const TrialStep&) {}
  /// The trial is counted as repeat `block` of its point.
  virtual void onMeasured(const TrialStep&, const SpanFigures&) {}
  /// The trial is not counted, because it was disturbed (core/metrics/disturbance).
  virtual void onReplaced(const TrialStep&, const SpanFigures&) {}
  virtual void onFailed(const TrialStep&, const std::string& /*reason*/) {}
};

struct SweepResult {
  bool stopped = false;
  std::vector<PointState> points;
  std::size_t replaced = 0;
};

/// Measures points in interleaved blocks: in each block every point once, in random order, so that
/// a temporary slowdown of the machine affects all points alike. A failed trial is the result of
/// its point; the sweep continues. `run` once, on one thread; `stop` from any.
class SweepMeasurement {
 public:
  /// Continues after `begun`, which has one state for each point. Runner, observer and clock must
  /// outlive this object.
  SweepMeasurement(TrialRunner& runner, SweepSettings settings, SweepObserver& observer,
                   std::vector<PointState> begun, const Clock& clock = steadyClock());

  SweepResult run();
  void stop();

 private:
  /// False if it was stopped.
  bool runBlock(std::size_t block);
  TrialStep stepOf(std::size_t point, std::size_t block) const;
  /// Runs a trial from the block's queue; a disturbed one may be appended again. False if stopped.
  bool runTrial(std::size_t point, std::size_t block, std::deque<std::size_t>& queue);

  TrialRunner& m_runner;
  const SweepSettings m_settings;
  SweepObserver& m_observer;
  const Clock& m_clock;
  SweepResult m_result;
  double m_trialSeconds = 0;  ///< total of the trials run
  std::size_t m_trials = 0;   ///< trials run, whatever their outcome
  std::atomic<bool> m_stopped{false};
};

}  // namespace millrace
