// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/status_note.h"

#include <QMouseEvent>
#include <QPainter>
#include <QStyle>

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr int kIcon = 14;
constexpr int kLeft = 8;  ///< the style sheet's padding of such a text
constexpr int kGap = 6;

/// The colour of a state's icon.
Tone toneOf(const QString& icon) {
  if (icon == "error") return Tone::Error;
  if (icon == "warning") return Tone::Warning;
  return icon == "play" ? Tone::Water : Tone::Text2;
}

}  // namespace

StatusNote::StatusNote(const QString& icon, QWidget* parent) : QLabel(parent) { setIcon(icon); }

void StatusNote::setIcon(const QString& icon) {
  if (icon == m_icon) return;
  m_icon = icon;
  // Margins would be reset by the style of another appearance.
  setIndent(icon.isEmpty() ? 0 : kIcon + kGap);
  update();
}

void StatusNote::setOpens(const QString& tip) {
  m_opens = !tip.isEmpty();
  setToolTip(tip);
  if (m_opens)
    setCursor(Qt::PointingHandCursor);
  else
    unsetCursor();
}

void StatusNote::mouseReleaseEvent(QMouseEvent* event) {
  QLabel::mouseReleaseEvent(event);
  const bool isClick = event->button() == Qt::LeftButton && rect().contains(event->pos());
  if (m_opens && isClick) emit opened();
}

void StatusNote::paintEvent(QPaintEvent* event) {
  if (width() >= sizeHint().width() || Qt::mightBeRichText(text())) {
    QLabel::paintEvent(event);
  } else {
    const QRect room = contentsRect().adjusted(kLeft + indent(), 0, -kLeft, 0);
    QPainter painter(this);
    style()->drawItemText(&painter, room, Qt::AlignLeft | Qt::AlignVCenter, palette(), isEnabled(),
                          fontMetrics().elidedText(text(), Qt::ElideRight, room.width()),
                          foregroundRole());
  }
  if (m_icon.isEmpty() || text().isEmpty()) return;
  QPainter painter(this);
  paintIcon(painter, m_icon, QRectF(kLeft, (height() - kIcon) / 2.0, kIcon, kIcon),
            theme()[toneOf(m_icon)]);
}

}  // namespace millrace
