// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include <QPushButton>
#include <QWidget>

#include "core/analysis/advice.h"

class QLabel;
class QTableView;

namespace millrace {

class JobStrip;
class LiveTune;
class NoteStrip;
class TunePlot;
class TuneTableModel;

/// A tuning in progress or finished: progress, speed against cost, the tried settings, the best
/// one, and the actions on a setting. The page measures and edits nothing; it emits requests. GUI
/// thread.
class TunePage : public QWidget {
  Q_OBJECT
 public:
  /// `tune` must outlive the page.
  explicit TunePage(const LiveTune& tune, QWidget* parent = nullptr);

  /// The text of an edit: "Workers › Threads: 2 → 4".
  using EditText = std::function<QString(const Advice& edit)>;
  void setEditText(EditText text) { m_shownEdit = std::move(text); }
  /// The tuning has changed.
  void refresh();
  /// A stop was requested.
  void showStopping();
  /// Why no setting can be used; empty if one can.
  void setTakeObstacle(const QString& sentence);
  /// Shows a sentence about what was done.
  void say(const QString& sentence);

  TunePlot& plot() { return *m_plot; }
  TuneTableModel& model() { return *m_model; }
  QTableView& table() { return *m_table; }
  QString words() const;
  QString leftText() const;
  /// The best setting and how certain that is.
  QString findingText() const;
  QString saidText() const;
  QPushButton* button(const QString& name) const { return findChild<QPushButton*>(name); }

 signals:
  void stopRequested();
  void takeRequested(std::size_t trial);
  /// Asks to show its trials in the table of runs.
  void runsRequested();
  void commandRequested();

 private:
  QWidget* buildPlot();
  QWidget* buildSide();
  void buildTable();
  void showProgress();
  void showEnd();
  void showFinding();
  QString bestText(std::size_t best) const;
  QString sureText(std::size_t best) const;
  void choose(std::size_t trial);
  void take(std::size_t trial);
  void refreshButtons();

  const LiveTune& m_tune;
  EditText m_shownEdit;
  JobStrip* m_strip;
  NoteStrip* m_failed;
  NoteStrip* m_said;
  TunePlot* m_plot;
  QLabel* m_finding;
  QPushButton* m_takeBest;
  QPushButton* m_take;
  QPushButton* m_runs;
  QPushButton* m_copy;
  QTableView* m_table;
  TuneTableModel* m_model;
  QString m_obstacle;
};

}  // namespace millrace
