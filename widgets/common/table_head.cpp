// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/table_head.h"

#include <algorithm>

#include <QHeaderView>

namespace millrace {

namespace {

constexpr int kHeadHeight = 40;
constexpr int kAround = 34;  ///< margins and the sort indicator

}  // namespace

void wrapTitles(QHeaderView& head) {
  head.setTextElideMode(Qt::ElideNone);
  head.setFixedHeight(kHeadHeight);
}

int leastTitleWidth(const QHeaderView& head, const QString& title) {
  const QFontMetrics font(head.font());
  int widest = 0;
  for (const QString& word : title.split(' '))
    widest = std::max(widest, font.horizontalAdvance(word));
  return widest + kAround;
}

int leastTitleWidth(const QHeaderView& head, int column) {
  const QAbstractItemModel* model = head.model();
  if (model == nullptr) return kAround;
  return leastTitleWidth(head, model->headerData(column, Qt::Horizontal).toString());
}

}  // namespace millrace
