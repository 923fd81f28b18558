// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>

#include <QElapsedTimer>
#include <QFrame>
#include <QTimer>

#include "core/events/results/comparison_summary.h"
#include "widgets/bridge/engine_job.h"
#include "widgets/models/code_trust.h"
#include "widgets/runs/run_signal.h"
#include "widgets/runs/store_thread.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace millrace {

class VerdictChip;

/// The share of a measurement that is done, below 1: `elapsed` since its start; `leftThen`: seconds
/// left by a report that is `sinceReport` old.
double doneShare(double elapsed, double sinceReport, double leftThen);

/// Two kept runs measured again in alternation: a strip with progress, time left and a stop button,
/// and afterwards the verdict. Asks before Python code of their pipelines runs for the first time.
/// Hidden when there is nothing to show. GUI thread.
class MeasureAgain : public QFrame {
  Q_OBJECT
 public:
  /// Both must outlive the strip.
  MeasureAgain(StoreThread& store, const Catalog& catalog, QWidget* parent = nullptr);

  EngineJob& job() { return m_job; }
  /// Why no measurement can be started now, as a sentence; empty if one can.
  using Obstacle = std::function<QString()>;
  void setObstacle(Obstacle obstacle) { m_obstacle = std::move(obstacle); }
  /// Further flags of `millrace compare`.
  void setFlags(const QStringList& flags) { m_flags = flags; }
  void start(RunNumber a, RunNumber b);
  void stop();
  bool isRunning() const { return m_isPreparing || m_job.isRunning(); }
  /// "runs 3 and 4": those that are being or were measured.
  QString pair() const { return "runs " + m_pair; }
  QString words() const;
  /// From 0 to 1; nullopt if it is not known.
  std::optional<double> done() const;
  QString verdict() const { return m_verdictKind; }
  /// How the last one ended; nullopt before it has.
  const std::optional<ChildEnd>& end() const { return m_end; }

 signals:
  /// Both measurements are kept under these numbers.
  void measured(const std::vector<millrace::RunNumber>& runs);
  /// The store has new blocks or runs.
  void kept();
  /// A measurement began or ended.
  void stateChanged();

 private:
  void lookForCode(RunNumber a, RunNumber b);
  void beginOrAsk(const std::vector<UserCode>& unanswered);
  void begin();
  void endPreparing();
  void take(const StreamEvent& event);
  void noteReplaced(const BlockEvent& block);
  void showWait(double mostSeconds);
  void showProgress(int done, int of, double secondsLeft);
  void showPace();
  void showEnd(const ChildEnd& end);
  /// The result's sentence, with run numbers instead of A and B; empty if there is no verdict.
  QString verdictSentence() const;
  QStringList keptRuns() const;
  void showText(const QString& words, bool running);

  StoreThread& m_store;
  const Catalog& m_catalog;
  EngineJob m_job;
  bool m_isPreparing = false;                 ///< what the pipelines run is being read
  int m_starts = 0;                           ///< answers to earlier starts are dropped
  std::vector<UserCode> m_asked;              ///< the code that the strip asks about
  std::optional<ComparisonSummary> m_result;  ///< of `millrace compare`; nullopt before it
  Obstacle m_obstacle;
  QStringList m_flags;
  QString m_pair;
  QString m_progress;  ///< the block's progress, as text
  QString m_numberA;
  QString m_numberB;
  QString m_verdictKind;
  std::optional<ChildEnd> m_end;
  int m_replaced = 0;     ///< disturbed blocks that were measured again
  QString m_disturbance;  ///< what disturbed the first of them, in brackets
  double m_left = -1;     ///< seconds left at the last report; below 0: not known
  QElapsedTimer m_sinceStart;
  QElapsedTimer m_sinceProgress;
  QTimer m_pace;
  VerdictChip* m_verdict;
  QLabel* m_words;
  QProgressBar* m_bar;
  QPushButton* m_allow;
  QPushButton* m_stop;
  QPushButton* m_close;
};

}  // namespace millrace
