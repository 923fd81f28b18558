// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

#include "core/store/run_record.h"
#include "widgets/runs/run_signal.h"

namespace millrace {

/// The width at which no figure is cut; it also keeps the beginning of a rate's interval.
int leastCellWidth(const QModelIndex& index);

/// The width at which nothing is cut, or the most that a column gets for it. 0 for an empty cell.
int wholeCellWidth(const QModelIndex& index);

/// By how much the interval of a rate is wider than the room that leastCellWidth has for it.
int wideInterval(const QModelIndex& index);

/// Draws the cells of the table of runs. Text without enough room ends with "…", a name has it in
/// its middle, and no figure loses its first digits. GUI thread.
class RunCellDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  /// The largest wideInterval of the column, so that all rates end at one line.
  void setWideInterval(int width) { m_wideInterval = width; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;
  bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                 const QModelIndex& index) override;

 signals:
  void measureRequested(millrace::RunNumber run);

 private:
  int m_wideInterval = 0;
};

}  // namespace millrace
