// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/plot_frame.h"

#include <algorithm>

#include <QPainter>

#include "widgets/common/format.h"
#include "widgets/common/theme.h"
#include "widgets/runs/run_marks.h"

namespace millrace {

namespace {

constexpr int kAxisFont = 11;

}  // namespace

void PlotFrame::paint(QPainter& painter, const QString& xUnit) const {
  painter.setFont(uiFont(kAxisFont));
  for (const double tick : y.ticks) {
    const double place = at(x.low, tick).y();
    painter.setPen(QPen(theme()[tick == y.low ? Tone::Control : Tone::Border], 1));
    painter.drawLine(QPointF(area.left(), place), QPointF(area.right(), place));
    painter.setPen(theme()[Tone::Text2]);
    painter.drawText(QRectF(0, place - 8, area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     y.word(tick));
  }
  for (std::size_t i = 0; i < x.ticks.size(); ++i) {
    QString word = x.word(x.ticks[i]);
    if (i + 1 == x.ticks.size() && !xUnit.isEmpty()) word += kNoBreak + xUnit;
    const double place = at(x.ticks[i], y.low).x();
    painter.drawText(QRectF(place - 40, area.bottom() + 4, 80, 16), Qt::AlignHCenter | Qt::AlignTop,
                     word);
  }
}

void PlotFrame::paintCaption(QPainter& painter, const QString& words) const {
  constexpr double kLeft = 12;
  constexpr double kNameOfAxis = 64;
  painter.setFont(uiFont(kAxisFont));
  painter.setPen(theme()[Tone::Text2]);
  const QRectF box(kLeft, 8, std::max(0.0, area.right() - kLeft - kNameOfAxis), 16);
  painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetricsF(painter.font()).elidedText(words, Qt::ElideRight, box.width()));
}

void PlotFrame::paintTitles(QPainter& painter, const QString& yTitle, const QString& xTitle) const {
  painter.setFont(uiFont(kAxisFont));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(QRectF(area.left(), area.top() - 24, area.width(), 16),
                   Qt::AlignRight | Qt::AlignVCenter, yTitle);
  if (!xTitle.isEmpty())
    painter.drawText(QRectF(area.left(), area.bottom() + 20, area.width(), 16),
                     Qt::AlignHCenter | Qt::AlignVCenter, xTitle);
}

QPen seriesPen(int series, double width) {
  QPen pen(theme().series(series), width);
  if (isDashed(series)) pen.setDashPattern({5 / width, 3 / width});
  pen.setCapStyle(Qt::FlatCap);
  pen.setJoinStyle(Qt::RoundJoin);
  return pen;
}

}  // namespace millrace
