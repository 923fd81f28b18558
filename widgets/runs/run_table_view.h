// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <QTimer>

#include "core/analysis/verdict.h"
#include "core/store/run_record.h"
#include "widgets/runs/run_column_widths.h"
#include "widgets/runs/run_signal.h"

class QPainter;

namespace millrace {

class RunCellDelegate;
class RunTableModel;

/// The interactive table of runs: rows are selected, F2 edits, Enter or a double click opens the
/// run's pipeline. Selection and scroll position are kept when the rows are read again. GUI thread.
class RunTableView : public QTableView {
  Q_OBJECT
 public:
  explicit RunTableView(RunTableModel& model, QWidget* parent = nullptr);

  /// The baseline first if it is selected, the others in the order of selection.
  const std::vector<RunNumber>& chosen() const { return m_chosen; }
  void choose(const std::vector<RunNumber>& runs);
  /// The run that has the focus.
  std::optional<RunNumber> current() const;
  bool isEditing() const { return state() == EditingState; }
  /// Edits a label of the selected run: the current cell if it can be edited, otherwise its name,
  /// tags or notes. Returns false if the table shows none of them.
  bool editLabel();
  /// The widths that the user chose earlier, by the ids of their columns.
  void setChosenWidths(const QVariantMap& widths);

 signals:
  /// The user has changed a width. A double click on a column's border ends a choice.
  void widthsChosen(const QVariantMap& widths);
  void chosenChanged();
  void openRequested(millrace::RunNumber run);
  /// The mark in an undecided verdict was clicked: measure this run and the baseline together.
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
  std::size_t placeOf(int column) const;
  QModelIndex labelToEdit() const;

  RunTableModel& m_model;
  RunCellDelegate* m_delegate;
  std::vector<RunNumber> m_chosen;
  std::optional<RunNumber> m_current;
  int m_scroll = 0;
  bool m_restoring = false;
  bool m_sharing = false;  ///< widths are being changed by the program
  RunColumnWidths m_widths;
  std::vector<int> m_fitted;  ///< the columns of `m_widths`, which are shown
  QTimer m_fit;
};

/// The mark of a run's line: dashed for the baseline's series.
void paintLineMark(QPainter& painter, const QRectF& box, int series);
/// A verdict as icon and word on its soft background; a dashed frame if there is no verdict.
void paintVerdict(QPainter& painter, const QRectF& box, VerdictKind kind, const QString& text);

}  // namespace millrace
