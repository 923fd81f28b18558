// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QFrame>
#include <QJsonObject>

#include "widgets/bridge/engine_job.h"
#include "widgets/runs/run_signal.h"
#include "widgets/runs/store_thread.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace millrace {

class VerdictChip;

/// Two kept runs measured again, by turns: a strip with progress, time left and a way to stop, and
/// then with the verdict. Hidden while there is nothing to say. GUI thread.
class MeasureAgain : public QFrame {
  Q_OBJECT
 public:
  explicit MeasureAgain(StoreThread& store, QWidget* parent = nullptr);

  EngineJob& job() { return m_job; }
  /// Why nothing can be measured now, as a sentence; empty: it can.
  using Obstacle = std::function<QString()>;
  void setObstacle(Obstacle obstacle) { m_obstacle = std::move(obstacle); }
  /// More flags of `millrace compare`.
  void setFlags(const QStringList& flags) { m_flags = flags; }
  void start(RunNumber a, RunNumber b);
  void stop();
  bool isRunning() const { return m_job.isRunning(); }
  /// "runs 3 and 4", those that are or were measured.
  QString pair() const { return "runs " + m_pair; }
  QString words() const;
  QString verdict() const { return m_verdictKind; }

 signals:
  /// Both are kept under these numbers.
  void measured(const std::vector<millrace::RunNumber>& runs);
  /// The store has new blocks or runs.
  void kept();
  /// A measurement began or is over.
  void stateChanged();

 private:
  void noteReplaced(const QJsonObject& block);
  void showWait(const QJsonObject& event);
  void showProgress(int done, int of, double secondsLeft);
  void showEnd(const ChildEnd& end);
  /// What the result says, with the two by their numbers; nothing where there is no verdict.
  QString verdictWords() const;
  QStringList keptRuns() const;
  void showWords(const QString& words, bool running);

  StoreThread& m_store;
  EngineJob m_job;
  QJsonObject m_result;  ///< of `millrace compare`; empty until it came
  Obstacle m_obstacle;
  QStringList m_flags;
  QString m_pair;
  QString m_progress;  ///< of the block, as words
  QString m_numberA;
  QString m_numberB;
  QString m_verdictKind;
  int m_replaced = 0;     ///< disturbed blocks that were measured again
  QString m_disturbance;  ///< by what the first of them was, in brackets
  VerdictChip* m_verdict;
  QLabel* m_words;
  QProgressBar* m_bar;
  QPushButton* m_stop;
  QPushButton* m_close;
};

}  // namespace millrace
