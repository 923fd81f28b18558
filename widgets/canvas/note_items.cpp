// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/note_items.h"

#include <QPainter>

#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kCommentWidth = 280;
constexpr double kCommentPad = 10;

}  // namespace

QSizeF commentSize(const QString& text) {
  const QRectF room(0, 0, kCommentWidth - 2 * kCommentPad, 4000);
  const QRectF needed = QFontMetricsF(uiFont(13)).boundingRect(room, Qt::TextWordWrap, text);
  return {kCommentWidth, std::max(36.0, needed.height() + 2 * kCommentPad)};
}

void CommentItem::show(const Comment& comment) {
  const QRectF box(comment.place, commentSize(comment.text));
  if (comment.text == m_text && box == m_box) return;
  prepareGeometryChange();
  m_text = comment.text;
  m_box = box;
  update();
}

void CommentItem::setSelected(bool selected) {
  if (selected == m_selected) return;
  m_selected = selected;
  update();
}

void CommentItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const Theme& t = theme();
  painter->setRenderHint(QPainter::Antialiasing);
  if (m_selected) {
    painter->setPen(QPen(t[Tone::Accent], 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(m_box.adjusted(-3, -3, 3, 3), 4, 4);
  }
  painter->setPen(QPen(t[Tone::Border], 1));
  painter->setBrush(t[Tone::Panel]);
  painter->drawRect(m_box);
  painter->fillRect(QRectF(m_box.topLeft(), QSizeF(3, m_box.height())), t[Tone::Control]);
  if (painter->worldTransform().m11() < canvas::kTextFrom) return;
  painter->setFont(uiFont(13));
  painter->setPen(t[Tone::Text]);
  painter->drawText(m_box.adjusted(kCommentPad, kCommentPad, -kCommentPad, -kCommentPad),
                    Qt::TextWordWrap, m_text);
}

void GroupItem::show(const QString& title, const QRectF& frame, bool below) {
  if (title == m_title && frame == m_frame && below == m_below) return;
  prepareGeometryChange();
  m_below = below;
  m_title = title;
  m_frame = frame;
  update();
}

void GroupItem::setRun(const QString& time, bool over) {
  if (time == m_time && over == m_over) return;
  m_time = time;
  m_over = over;
  update();
}

void GroupItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const Theme& t = theme();
  painter->setRenderHint(QPainter::Antialiasing);
  QPen pen(t[Tone::Control], 1.5);
  pen.setDashPattern({1.5, 3});
  painter->setPen(pen);
  painter->setBrush(Qt::NoBrush);
  painter->drawRoundedRect(m_frame, canvas::kRegionRadius, canvas::kRegionRadius);
  if (painter->worldTransform().m11() < canvas::kTextFrom) return;
  // When zoomed out: larger, and only the figure.
  const bool afar = painter->worldTransform().m11() < canvas::kSecondLineFrom;
  QRectF room = head().adjusted(12, 0, -12, 0);
  if (!m_time.isEmpty()) {
    painter->setFont(uiFont(afar ? 18 : 12));
    painter->setPen(t[m_over ? Tone::Hint : Tone::Text2]);
    const QFontMetricsF metrics(painter->font());
    QString words = m_time + " per sample, wall clock";
    if (afar || metrics.horizontalAdvance(words) > room.width() / 2) words = m_time;
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, words);
    room.setRight(room.right() - metrics.horizontalAdvance(words) - kCommentPad);
  }
  painter->setFont(uiFont(afar ? 18 : 13, true));
  painter->setPen(t[Tone::Text]);
  painter->drawText(
      room, Qt::AlignVCenter | Qt::AlignLeft,
      QFontMetricsF(painter->font()).elidedText(m_title, Qt::ElideRight, room.width()));
}

}  // namespace millrace
