// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/focus_frame.h"

#include <QPainter>
#include <QWidget>

#include "widgets/common/theme.h"

namespace millrace {

void paintFocusFrame(const QWidget& view, QWidget& painted) {
  if (!view.hasFocus()) return;
  QPainter painter(&painted);
  painter.setPen(QPen(theme()[Tone::Accent], 2));
  painter.drawRect(painted.rect().adjusted(1, 1, -1, -1));
}

}  // namespace millrace
