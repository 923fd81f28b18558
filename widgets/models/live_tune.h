// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include "core/analyse/advice.h"
#include "core/tune/tune_goal.h"
#include "widgets/models/run_settings.h"
#include "widgets/models/setting_names.h"

namespace millrace {

/// A setting that the tuner tries. Value.
struct TunedTrial {
  enum class State { Waiting, Measured, Failed, OverLimit };
  bool known = false;         ///< it was begun, so that its edits are known
  std::vector<Advice> edits;  ///< of the pipeline as it is; none: that pipeline
  State state = State::Waiting;
  QString reason;              ///< why it failed
  int repeats = 0;             ///< that count
  std::optional<double> rate;  ///< samples/s as measured, over its repeats
  std::optional<double> goal;  ///< the figure that the tuning is for, in its own unit
  std::optional<double> gain;  ///< of the goal against the pipeline as it is: 1.2 is 20 % better
  std::optional<double> cores;
  std::optional<double> bytes;  ///< of memory, at most
  QString run;                  ///< that keeps it; empty: not kept

  bool failed() const { return state == State::Failed || state == State::OverLimit; }
  /// By `names`, "Workers › Threads 4, Prefetch › Batches 8", or by the paths of the file; "as it
  /// is"; "not begun yet".
  QString settings(const SettingNames& names = {}) const;
};

/// A tuning as far as it went, from its events alone (core/events/README.md). Knows no process, no
/// store and no document. Trials are numbered as the engine numbers them, from 0, the pipeline as
/// it is. GUI thread.
class LiveTune {
 public:
  enum class State { None, Preparing, Going, Over };

  /// `names`: of the document's settings.
  void begin(const QString& title, double budgetSeconds, const SettingNames& names = {});
  /// An event that does not fit what came before is passed over.
  void take(const QJsonObject& event);
  void finish(const ChildEnd& end);

  State state() const { return m_state; }
  bool isGoing() const { return m_state == State::Preparing || m_state == State::Going; }
  const QString& title() const { return m_title; }
  /// What it is for.
  TuneGoal goal() const { return m_goal; }
  /// Under which the store keeps it; empty: it is not kept.
  const QString& experiment() const { return m_experiment; }
  const std::vector<TunedTrial>& trials() const { return m_trials; }
  /// What it tries, by the names of the document.
  QString settingsOf(std::size_t trial) const { return m_trials[trial].settings(m_names); }
  /// Samples/s as they would be beside the pipeline as it is: what the machine did between blocks
  /// is taken out, as it is of the gain. As measured where the tuning is for something else.
  std::optional<double> rateOf(std::size_t trial) const;
  /// While the best is the pipeline as it is: the setting whose estimate is the highest above that,
  /// without being shown to be better.
  std::optional<std::size_t> unproven() const;
  /// The best by now; nothing until one is measured.
  std::optional<std::size_t> best() const { return m_best; }
  /// None is shown to be as fast with as little memory and as few cores as one of these.
  const std::vector<std::size_t>& front() const { return m_front; }
  /// The trial that is being measured.
  std::optional<std::size_t> running() const { return m_running; }
  /// What it does now: "diagnosing, without step", "Workers › Threads 4", "waiting 10 s at most".
  QString stepWords() const;
  /// What may be changed: "Workers › Threads: 1, 2, 4, 8".
  const QStringList& axes() const { return m_axes; }
  /// "Likely limit: decoding in `decode`", by the diagnosis; empty: none was made.
  const QString& limit() const { return m_limit; }
  int measured() const { return m_measured; }
  int failed() const;
  int replaced() const { return m_replaced; }
  double budgetSeconds() const { return m_budget; }
  /// Of the budget, when the running trial began.
  std::optional<double> secondsLeft() const { return m_left; }

  // Of the result, once it came.
  /// How sure the best is better, as a sentence; empty: nothing is known.
  const QString& verdict() const { return m_verdict; }
  const QString& stoppedBecause() const { return m_because; }
  /// What was not tried, a sentence each.
  const QStringList& leftOut() const { return m_leftOut; }
  const std::optional<ChildEnd>& end() const { return m_end; }
  /// "measured 2 times", "failed", "measuring".
  QString stateWords(std::size_t trial) const;

 private:
  void takeSpace(const QJsonObject& event);
  void makeRoomFor(int number);
  void takeBegun(const QJsonObject& event);
  void takeEnded(const QJsonObject& event);
  void takeResult(const QJsonObject& result);
  std::optional<std::size_t> trialOf(const QJsonObject& event) const;
  void updateFront();

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
