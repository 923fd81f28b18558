// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>

#include <QPushButton>
#include <QWidget>

class QAbstractItemModel;
class QAction;
class QLabel;
class QTableView;

namespace millrace {

class JobStrip;
class NoteStrip;

/// What the pages of a sweep and of a tuning share: progress, notes, a plot with the findings and
/// the actions on a setting next to it, and the table of settings. Measures and edits nothing; it
/// emits requests. GUI thread.
class SearchPage : public QWidget {
  Q_OBJECT
 public:
  /// Why no setting can be used; empty if one can.
  void setTakeObstacle(const QString& sentence);
  /// Shows a sentence about what was done.
  void say(const QString& sentence);

  QTableView& table() { return *m_table; }
  /// "5 of 24 trials done, 1 settings failed", or how it ended.
  QString words() const;
  QString leftText() const;
  /// The findings: the best setting and how certain that is.
  QString findingText() const;
  QString saidText() const;
  QPushButton* button(const QString& name) const { return findChild<QPushButton*>(name); }

 signals:
  void stopRequested();
  void takeRequested(std::size_t setting);
  /// Asks to show its trials in the table of runs.
  void runsRequested();
  void commandRequested();

 protected:
  /// `progress`: the bar's name for screen readers, "Progress of the sweep".
  SearchPage(const QString& progress, QWidget* parent);

  struct Sizes {
    int plot = 900;
    int side = 300;
    int top = 480;
    int table = 240;
  };
  void compose(QWidget* plot, QWidget* side, const Sizes& sizes);
  /// The findings above their buttons: those that use a setting, the first of which is the primary
  /// one, and those that both pages have.
  QWidget* sideOf(QWidget* findings, std::initializer_list<QPushButton*> takes, QAction* exporting);
  /// `settingAt`: the setting in a row.
  void fillTable(QAbstractItemModel* model, const QString& name,
                 const std::function<std::size_t(int)>& settingAt);
  /// Selects the row of the chosen setting; -1: it has none.
  void showRow(int row);

  virtual void choose(std::size_t setting) = 0;
  virtual void take(std::size_t setting) = 0;
  virtual void refreshButtons() = 0;

  JobStrip* m_strip;
  NoteStrip* m_failed;
  NoteStrip* m_said;
  QLabel* m_finding;
  QPushButton* m_runs;
  QPushButton* m_copy;
  QTableView* m_table;
  QString m_obstacle;
};

}  // namespace millrace
