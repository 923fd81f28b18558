// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/row_copy.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QTableView>

namespace millrace {

RowCopy::RowCopy(QAbstractItemView& view) : QObject(&view), m_view(view) {
  view.installEventFilter(this);
  auto* action = new QAction("&Copy", &view);
  // The keys are shown here and handled below: the window has an action with the same keys.
  action->setShortcut(QKeySequence::Copy);
  action->setShortcutContext(Qt::WidgetShortcut);
  connect(action, &QAction::triggered, this, &RowCopy::copy);
  if (view.contextMenuPolicy() != Qt::DefaultContextMenu) return;
  view.addAction(action);
  view.setContextMenuPolicy(Qt::ActionsContextMenu);
}

QString RowCopy::text() const {
  if (m_view.selectionModel() == nullptr) return {};
  const auto* table = qobject_cast<const QTableView*>(&m_view);
  QModelIndexList rows;
  for (const QModelIndex& index : m_view.selectionModel()->selectedIndexes())
    if (const QModelIndex row = index.siblingAtColumn(0); !rows.contains(row)) rows << row;
  std::ranges::sort(rows, {},
                    [this](const QModelIndex& row) { return m_view.visualRect(row).y(); });
  QStringList lines;
  for (const QModelIndex& row : std::as_const(rows)) {
    QStringList texts;
    for (int column = 0; column < row.model()->columnCount(row.parent()); ++column)
      if (table == nullptr || !table->isColumnHidden(column))
        texts << row.siblingAtColumn(column).data().toString();
    while (!texts.isEmpty() && texts.back().isEmpty()) texts.removeLast();
    lines << texts.join('\t');
  }
  return lines.join('\n');
}

void RowCopy::copy() const {
  if (const QString selected = text(); !selected.isEmpty())
    QApplication::clipboard()->setText(selected);
}

bool RowCopy::eventFilter(QObject* watched, QEvent* event) {
  const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (!isKey || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy))
    return QObject::eventFilter(watched, event);
  // An accepted override becomes a key for this view, whatever shortcuts the window has.
  event->accept();
  if (event->type() == QEvent::KeyPress) copy();
  return true;
}

}  // namespace millrace
