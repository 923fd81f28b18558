// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/plot_frame.h"

#include <algorithm>
#include <cmath>

#include <QPainter>

#include "widgets/common/format.h"
#include "widgets/common/theme.h"
#include "widgets/runs/run_marks.h"

namespace millrace {

namespace {

constexpr int kAxisFont = 11;

QString tickWord(double value, double step) {
  const int decimals = step >= 1 ? 0
                                 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9)) +
                                       (std::abs(step * 4 - std::round(step * 4)) < 1e-9 &&
                                                step < 1 && step > 0.2 && step != 0.5
                                            ? 1
                                            : 0);
  if (decimals == 0) return shownNumber(std::round(value));
  return QString::number(value, 'f', decimals);
}

double stepFor(double span, int mostTicks) {
  const double rough = span / std::max(1, mostTicks - 1);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double step : {1.0, 2.0, 2.5, 5.0, 10.0})
    if (step * power >= rough * (1 - 1e-9)) return step * power;
  return 10 * power;
}

}  // namespace

PlotAxis roundAxis(double low, double high, int mostTicks) {
  if (!(high > low)) {
    const double room = low == 0 ? 1 : std::abs(low) * 0.05;
    low -= room;
    high += room;
  }
  const double step = stepFor(high - low, mostTicks);
  PlotAxis axis;
  axis.low = std::floor(low / step + 1e-9) * step;
  axis.high = std::ceil(high / step - 1e-9) * step;
  const auto count = static_cast<int>(std::lround((axis.high - axis.low) / step));
  for (int i = 0; i <= count; ++i) axis.ticks.push_back(axis.low + i * step);
  return axis;
}

void PlotFrame::paint(QPainter& painter, const QString& xUnit) const {
  painter.setFont(uiFont(kAxisFont));
  const double yStep = y.ticks.size() > 1 ? y.ticks[1] - y.ticks[0] : 1;
  const double xStep = x.ticks.size() > 1 ? x.ticks[1] - x.ticks[0] : 1;
  for (const double tick : y.ticks) {
    const double place = at(x.low, tick).y();
    painter.setPen(QPen(theme()[tick == y.low ? Tone::Control : Tone::Border], 1));
    painter.drawLine(QPointF(area.left(), place), QPointF(area.right(), place));
    painter.setPen(theme()[Tone::Text2]);
    painter.drawText(QRectF(0, place - 8, area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                     tickWord(tick, yStep));
  }
  for (std::size_t i = 0; i < x.ticks.size(); ++i) {
    QString word = tickWord(x.ticks[i], xStep);
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
