// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/analysis/advice.h"
#include "core/events/stream/event_reader.h"
#include "core/tune/tuner/tune_goal.h"
#include "widgets/models/live/run_settings.h"
#include "widgets/models/setting_names.h"

namespace millrace {

struct TuneResultRecord;

/// A setting that the tuner tries. Value.
struct TunedTrial {
  enum class State { Waiting, Measured, Failed, OverLimit };
  bool known = false;         ///< it has started, so its edits are known
  std::vector<Advice> edits;  ///< edits of the unmodified pipeline; may be none
  State state = State::Waiting;
  QString reason;              ///< why it failed
  int repeats = 0;             ///< valid ones
  std::optional<double> rate;  ///< samples/s as measured, over its repeats
  std::optional<double> goal;  ///< the goal's figure, in its unit
  std::optional<double> gain;  ///< goal relative to the unmodified pipeline: 1.2 is 20 % better
  std::optional<double> cores;
  std::optional<double> bytes;  ///< peak memory
  QString run;                  ///< the run that keeps it; empty: not kept

  bool failed() const { return state == State::Failed || state == State::OverLimit; }
  /// With `names`: "Workers › Threads 4, Prefetch › Batches 8"; otherwise by the file's paths.
  /// "unmodified" and "not started" if that is the case.
  QString settings(const SettingNames& names = {}) const;
};

/// The state of a tuning, built from its events alone (docs/reference/event-stream.md). Knows no
/// process, no store and no document. Trials have the engine's numbers; 0 is the unmodified
/// pipeline. GUI thread.
class LiveTune {
 public:
  enum class State { None, Preparing, Going, Over };

  /// `names`: names of the document's settings.
  void begin(const QString& title, double budgetSeconds, const SettingNames& names = {});
  /// Ignores an event that does not fit the earlier ones.
  void take(const StreamEvent& event);
  void finish(const ChildEnd& end);

  State state() const { return m_state; }
  bool isGoing() const { return m_state == State::Preparing || m_state == State::Going; }
  const QString& title() const { return m_title; }
  /// What is optimised.
  TuneGoal goal() const { return m_goal; }
  /// Its name in the store; empty if it is not kept.
  const QString& experiment() const { return m_experiment; }
  const std::vector<TunedTrial>& trials() const { return m_trials; }
  /// The settings that a trial tries, by the document's names.
  QString settingsOf(std::size_t trial) const { return m_trials[trial].settings(m_names); }
  /// Samples/s relative to the unmodified pipeline in the same blocks, which removes drift of the
  /// machine between blocks, as in the gain. The raw measurement if the goal is not throughput.
  std::optional<double> rateOf(std::size_t trial) const;
  /// The gain over the unmodified pipeline; for throughput the ratio of the shown rates.
  std::optional<double> shownGain(std::size_t trial) const;
  /// While the unmodified pipeline is the best: the setting with the highest estimate above it,
  /// which is not yet significantly better.
  std::optional<std::size_t> unproven() const;
  /// The setting that looks as good as the best or better with no more memory and cores, but is
  /// not shown to be better.
  std::optional<std::size_t> rivalOfBest() const;
  /// The best so far; nullopt until one is measured.
  std::optional<std::size_t> best() const { return m_best; }
  /// The Pareto front: no other setting is shown to be as fast with as little memory and as few
  /// cores.
  const std::vector<std::size_t>& front() const { return m_front; }
  /// The trial that is being measured.
  std::optional<std::size_t> running() const { return m_running; }
  /// The current step: "diagnosing, without step", "Workers › Threads 4", "waiting up to 10 s for
  /// …".
  QString stepText() const;
  /// The parameters that may change: "Workers › Threads: 1, 2, 4, 8".
  const QStringList& axes() const { return m_axes; }
  /// "Likely limit: decoding in `decode`", from the diagnosis; empty if there was none.
  const QString& limit() const { return m_limit; }
  int measured() const { return m_measured; }
  int failed() const;
  int replaced() const { return m_replaced; }
  double budgetSeconds() const { return m_budget; }
  /// The rest of the budget when the running trial began.
  std::optional<double> secondsLeft() const { return m_left; }

  // From the result, once it has arrived.
  /// How certain it is that the best is better, as a sentence; empty if nothing is known.
  const QString& verdict() const { return m_verdict; }
  const QString& stoppedBecause() const { return m_because; }
  /// What was not tried, one sentence each.
  const QStringList& leftOut() const { return m_leftOut; }
  const std::optional<ChildEnd>& end() const { return m_end; }
  /// "measured 2 times", "failed", "measuring".
  QString stateText(std::size_t trial) const;

 private:
  void takeSpace(const TuneSpaceEvent& event);
  void makeRoomFor(std::uint64_t number);
  void takeBegun(const TrialBegunEvent& event);
  void takeEnded(const TrialEndedEvent& event);
  void takeResult(const TuneResultRecord& result);
  std::optional<std::size_t> trialOf(std::optional<std::uint64_t> number) const;
  void updateFront();
  /// As TuneOutcome::balances.
  std::vector<TuneBalance> balances(bool byGoal) const;

  State m_state = State::None;
  QString m_title;
  SettingNames m_names;
  TuneGoal m_goal = TuneGoal::Throughput;
  QString m_experiment;
  QString m_what;
  QString m_wait;
  double m_budget = 0;
  std::vector<TunedTrial> m_trials;
  std::optional<std::size_t> m_best;
  std::vector<std::size_t> m_front;
  std::optional<std::size_t> m_running;
  std::optional<double> m_left;
  QStringList m_axes;
  QString m_limit;
  QString m_verdict;
  QString m_because;
  QStringList m_leftOut;
  std::optional<ChildEnd> m_end;
  int m_measured = 0;
  int m_replaced = 0;
};

}  // namespace millrace
