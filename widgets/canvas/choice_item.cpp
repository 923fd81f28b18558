// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/choice_item.h"

#include <algorithm>

#include <QPainter>

#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/theme.h"

namespace millrace {

using namespace canvas;

void ChoiceItem::show(const NodeDisplay& display, const ChoiceShape& shape) {
  prepareGeometryChange();
  m_display = display;
  m_shape = shape;
  update();
}

void ChoiceItem::setStyle(const NodeStyle& style) {
  if (style == m_style) return;
  m_style = style;
  update();
}

QString ChoiceItem::text() const { return m_display.title + ": " + m_display.settings; }

QRectF ChoiceItem::boundingRect() const {
  return m_shape.bounds().adjusted(-kGrid, -kGrid, kGrid, kGrid);
}

void ChoiceItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const Theme& t = theme();
  const double detail = painter->worldTransform().m11();
  painter->setRenderHint(QPainter::Antialiasing);
  const bool isMarked = m_style.selected || m_style.hovered;
  const QColor line = m_style.selected ? t[Tone::Accent] : t.category(m_display.category);
  QPen pen(line, isMarked ? 2 : 1.5);
  if (m_display.bypassed) pen.setDashPattern({4, 3});
  painter->setPen(pen);
  painter->setBrush(Qt::NoBrush);
  for (const QRectF& frame : m_shape.frames)
    painter->drawRoundedRect(frame, kRegionRadius, kRegionRadius);
  if (detail < kTextFrom) return;

  painter->setFont(uiFont(12, true));
  const QFontMetricsF metrics(painter->font());
  const double room = m_shape.tab.width() - 2 * kTextPad;
  const QString words = metrics.elidedText(text(), Qt::ElideRight, room);
  QRectF tab = m_shape.tab;
  tab.setWidth(std::min(tab.width(), metrics.horizontalAdvance(words) + 2 * kTextPad));
  painter->setBrush(t[Tone::Panel]);
  painter->drawRoundedRect(tab, 4, 4);
  painter->setPen(t[m_display.bypassed ? Tone::Text2 : Tone::Text]);
  painter->drawText(tab, Qt::AlignCenter, words);
  if (m_display.errors + m_display.warnings > 0)
    paintProblemMark(*painter, m_shape.frames.front().topRight(), m_display.errors,
                     m_display.warnings);
}

}  // namespace millrace
