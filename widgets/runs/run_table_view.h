// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include "core/analyse/verdict.h"
#include "core/store/run_record.h"
#include "widgets/runs/run_signal.h"

class QPainter;

namespace millrace {

class RunTableModel;

/// The table of runs under the hand: rows are chosen, F2 edits, Enter or a double click asks for
/// the run's pipeline. What is chosen and where it is scrolled stay when the rows are read anew.
/// GUI thread.
class RunTableView : public QTableView {
  Q_OBJECT
 public:
  explicit RunTableView(RunTableModel& model, QWidget* parent = nullptr);

  /// The baseline first where it is chosen, the others in the order of choosing.
  const std::vector<RunNumber>& chosen() const { return m_chosen; }
  void choose(const std::vector<RunNumber>& runs);
  /// The run that has the focus.
  std::optional<RunNumber> current() const;
  bool isEditing() const { return state() == EditingState; }
  /// Of the chosen run: the cell that is current where it can be edited, else its name, its tags or
  /// its notes. False: the table shows none of them.
  bool editLabel();

 signals:
  void chosenChanged();
  void openRequested(millrace::RunNumber run);
  /// The mark in a verdict that is open: measure this one and the baseline together.
  void measureRequested(millrace::RunNumber run);

 protected:
  void selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void keepPlace();
  void restorePlace();
  void noteChosen();
  void fitColumns();
  void shareRoom();
  QModelIndex labelToEdit() const;

  RunTableModel& m_model;
  std::vector<RunNumber> m_chosen;
  std::optional<RunNumber> m_current;
  int m_scroll = 0;
  bool m_restoring = false;
  bool m_sharing = false;      ///< widths change, and not by hand
  QStringList m_fitted;        ///< columns as they were when their widths were last chosen
  std::vector<int> m_natural;  ///< widths where there is room
  std::vector<int> m_least;
};

/// The mark of a run's line: dashed for the baseline's series.
void paintLineMark(QPainter& painter, const QRectF& box, int series);
/// A verdict as icon and word on its soft ground; a dashed frame where nothing can be said.
void paintVerdict(QPainter& painter, const QRectF& box, VerdictKind kind, const QString& text);

}  // namespace millrace
