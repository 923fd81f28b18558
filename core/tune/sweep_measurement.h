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
#include "core/run/run_result.h"

namespace millrace {

/// What one trial, a repeat of one point, came to.
struct TrialOutcome {
  enum class Kind : std::uint8_t { Measured, Failed, Stopped };
  Kind kind = Kind::Measured;
  std::string reason;   ///< of Failed, a sentence
  SpanFigures figures;  ///< of Measured
};

/// Runs trials for real. `run` on one thread; `stop` from any: ends the trial that goes on and lets
/// no other begin.
class TrialRunner {
 public:
  virtual ~TrialRunner() = default;
  virtual TrialOutcome run(std::size_t point) = 0;
  virtual void stop() = 0;
};

/// A point as far as it was measured: repeat k is its part of block k.
struct PointState {
  std::vector<SpanFigures> repeats;
  std::string failure;  ///< empty: it has not failed; one that has is not tried again

  bool failed() const { return !failure.empty(); }
};

struct SweepSettings {
  std::size_t blocks = 3;  ///< repeats of each point
  std::uint64_t seed = 0;  ///< of the order within the blocks
  /// Trials that other processes disturbed and that are measured again, at their block's end; those
  /// after them are kept as they are.
  std::size_t mostReplaced = 0;
  double secondsPerTrial = 7;  ///< until one was measured: for the time left
};

/// A trial begins.
struct TrialStep {
  std::size_t point = 0;
  std::size_t block = 0;   ///< from 0
  std::size_t done = 0;    ///< trials before this one
  std::size_t of = 0;      ///< of the whole, without those of failed points
  double secondsLeft = 0;  ///< of the whole, this trial included
};

/// Hears of a sweep on the thread of SweepMeasurement::run.
class SweepObserver {
 public:
  virtual ~SweepObserver() = default;
  virtual void onTrial(const TrialStep&) {}
  /// It counts, as repeat `block` of its point.
  virtual void onMeasured(const TrialStep&, const SpanFigures&) {}
  /// It does not count: something disturbed it (core/metrics/disturbance).
  virtual void onReplaced(const TrialStep&, const SpanFigures&) {}
  virtual void onFailed(const TrialStep&, const std::string& /*reason*/) {}
};

struct SweepResult {
  bool stopped = false;
  std::vector<PointState> points;
  std::size_t replaced = 0;
};

/// Measures points in interleaved blocks: in each block every point once, in random order, so that
/// what slows the machine for a while slows all points alike. A failed trial is its point's result,
/// and the sweep goes on. `run` once, on one thread; `stop` from any.
class SweepMeasurement {
 public:
  /// Goes on behind `begun`, one state a point. Runner, observer and clock outlive it.
  SweepMeasurement(TrialRunner& runner, SweepSettings settings, SweepObserver& observer,
                   std::vector<PointState> begun, const Clock& clock = steadyClock());

  SweepResult run();
  void stop();

 private:
  /// False when it was stopped.
  bool runBlock(std::size_t block);
  TrialStep stepOf(std::size_t point, std::size_t block) const;
  /// A trial of the block's queue; it may be put at its end again.
  bool runTrial(std::size_t point, std::size_t block, std::deque<std::size_t>& queue);

  TrialRunner& m_runner;
  const SweepSettings m_settings;
  SweepObserver& m_observer;
  const Clock& m_clock;
  SweepResult m_result;
  double m_trialSeconds = 0;  ///< of those run, together
  std::size_t m_trials = 0;   ///< run, whatever came of them
  std::atomic<bool> m_stopped{false};
};

}  // namespace millrace
