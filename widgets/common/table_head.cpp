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
  QFont bold = head.font();
  bold.setBold(true);  // as the style sheet draws titles
  const QFontMetrics font(bold);
  int least = font.horizontalAdvance(title);
  for (qsizetype at = title.indexOf(' '); at >= 0; at = title.indexOf(' ', at + 1))
    least = std::min(least, std::max(font.horizontalAdvance(title.left(at)),
                                     font.horizontalAdvance(title.mid(at + 1))));
  return least + kAround;
}

int leastTitleWidth(const QHeaderView& head, int column) {
  const QAbstractItemModel* model = head.model();
  if (model == nullptr) return kAround;
  return leastTitleWidth(head, model->headerData(column, Qt::Horizontal).toString());
}

}  // namespace millrace
