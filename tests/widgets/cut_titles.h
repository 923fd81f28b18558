// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHeaderView>
#include <QTableView>

namespace millrace::tests {

/// Column titles that do not fit on two lines, or are outside the visible part.
inline QStringList cutTitles(const QTableView& table) {
  constexpr int kMargins = 8;
  const QHeaderView& head = *table.horizontalHeader();
  const QFontMetrics font(head.font());
  QStringList cut;
  for (int column = 0; column < head.count(); ++column) {
    if (head.isSectionHidden(column)) continue;
    const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
    const int room = head.sectionSize(column) - kMargins;
    const QRect words =
        font.boundingRect(QRect(0, 0, room, 1000), Qt::TextWordWrap | Qt::AlignLeft, title);
    const bool fits = words.width() <= room && words.height() <= head.height();
    const int right = head.sectionViewportPosition(column) + head.sectionSize(column);
    if (!fits || right > table.viewport()->width()) cut << title;
  }
  return cut;
}

}  // namespace millrace::tests
