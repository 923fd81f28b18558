// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;

namespace millrace {

class ImportanceBars;
class JobStrip;
class LiveSweep;
class NoteStrip;
class SweepPlot;
class SweepTableModel;

/// A sweep in progress or finished: progress, plot, table, findings, and the actions on a setting.
/// The page measures and edits nothing; it emits requests. GUI thread.
class SweepPage : public QWidget {
  Q_OBJECT
 public:
  /// `sweep` must outlive the page.
  explicit SweepPage(const LiveSweep& sweep, QWidget* parent = nullptr);

  /// The sweep has changed.
  void refresh();
  /// A stop was requested.
  void showStopping();
  /// Why no setting can be used; empty if one can.
  void setTakeObstacle(const QString& sentence);
  /// Shows a sentence about what was done.
  void say(const QString& sentence);

  SweepPlot& plot() { return *m_plot; }
  SweepTableModel& model() { return *m_model; }
  QTableView& table() { return *m_table; }
  ImportanceBars& importance() { return *m_importance; }
  /// "5 of 24 trials done, 1 settings failed", or how it ended.
  QString words() const;
  QString leftText() const;
  /// The findings: the best setting and how certain that is.
  QString findingText() const;
  QString saidText() const;
  QPushButton* button(const QString& name) const { return findChild<QPushButton*>(name); }

 signals:
  void stopRequested();
  /// Asks to continue where the sweep was stopped.
  void goOnRequested();
  void takeRequested(std::size_t point);
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
  QString rivalText() const;
  void showAxes();
  void sizeColumns();
  void choose(std::size_t point);
  void refreshButtons();

  const LiveSweep& m_sweep;
  JobStrip* m_strip;
  QPushButton* m_goOn;
  NoteStrip* m_failed;
  NoteStrip* m_said;
  QComboBox* m_x;
  QComboBox* m_y;
  QWidget* m_axes;
  SweepPlot* m_plot;
  QLabel* m_finding;
  ImportanceBars* m_importance;
  QPushButton* m_take;
  QPushButton* m_runs;
  QPushButton* m_copy;
  QTableView* m_table;
  SweepTableModel* m_model;
  QString m_obstacle;
};

}  // namespace millrace
