// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "core/events/stream/event_reader.h"
#include "core/tune/sweep/sweep_analysis.h"
#include "widgets/models/live/run_settings.h"
#include "widgets/models/setting_names.h"

namespace millrace {

/// The state of a sweep, built from its events alone (docs/reference/event-stream.md). Knows no
/// process and no store. Settings have the engine's numbers, from 0. GUI thread.
class LiveSweep {
 public:
  enum class State { None, Preparing, Going, Over };

  /// `names`: names of the document's settings.
  void begin(QString title, SettingNames names = {});
  /// Ignores an event that does not fit the earlier ones.
  void take(const StreamEvent& event);
  void finish(const ChildEnd& end);

  State state() const { return m_state; }
  /// Whether the settings are known, so that there is something to draw.
  bool isKnown() const { return !m_points.empty(); }
  const QString& title() const { return m_title; }
  /// Its name in the store; empty if it is not kept.
  const QString& experiment() const { return m_experiment; }
  const SweepPlan& plan() const { return m_plan; }
  /// "Workers › Threads".
  QString nameOf(std::size_t axis) const { return m_names.of(m_plan.axes[axis].name()); }
  const std::vector<PointState>& points() const { return m_points; }
  int repeats() const { return m_repeats; }
  /// The run that keeps a setting; empty: not begun, or not kept.
  const QString& runOf(std::size_t point) const { return m_runs[point]; }
  std::optional<double> rateOf(std::size_t point) const;
  /// The findings of the measurements so far: order, best, verdict, importance.
  const SweepFinding& finding() const;

  /// The setting that is being measured; `repeat` counts from 1.
  std::optional<std::size_t> running() const { return m_running; }
  int repeat() const { return m_repeat; }
  int done() const { return m_done; }
  int of() const { return m_of; }
  /// Time left for the whole sweep when the running trial began.
  std::optional<double> secondsLeft() const { return m_secondsLeft; }
  int failed() const;
  /// Trials that were disturbed by other processes and are measured again.
  int replaced() const { return m_replaced; }
  const std::optional<ChildEnd>& end() const { return m_end; }
  /// "waiting up to 10 s for …" while the next trial waits for the cores; otherwise empty.
  const QString& waitText() const { return m_wait; }
  /// "measured", "2 of 3", "measuring", "failed", "waiting".
  QString stateText(std::size_t point) const;

 private:
  void takePlan(const SweepEvent& event);
  void takeBegun(const TrialBegunEvent& event);
  void takeEnded(const TrialEndedEvent& event);
  std::optional<std::size_t> pointOf(std::optional<std::uint64_t> trial) const;

  State m_state = State::None;
  QString m_title;
  SettingNames m_names;
  QString m_experiment;
  SweepPlan m_plan;
  std::vector<PointState> m_points;
  std::vector<QString> m_runs;
  mutable SweepFinding m_finding;  ///< as of the last call of finding()
  mutable bool m_stale = false;
  std::optional<std::size_t> m_running;
  std::optional<double> m_secondsLeft;
  QString m_wait;
  std::optional<ChildEnd> m_end;
  int m_repeats = 0;
  int m_repeat = 0;
  int m_done = 0;
  int m_of = 0;
  int m_replaced = 0;
};

}  // namespace millrace
