// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// TimeChart's painting around the lines of Qt Charts.
#include <algorithm>
#include <cmath>

#include <QtCharts/QLineSeries>

#include "widgets/charts/chart_link.h"
#include "widgets/charts/time_chart.h"
#include "widgets/common/format.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr int kAxisFont = 11;
constexpr const char* kWarmup = "warm-up";
constexpr double kLegendLeft = 10;
constexpr double kSwatchRoom = 22;
constexpr double kLegendRow = 16;
constexpr int kHeightForRow = 90;  ///< of the chart, for each row of the legend
constexpr int kMostRows = 3;

/// Three or four digits.
QString valueWord(double value) {
  return shownNumber(std::abs(value) >= 10 ? std::round(value) : std::round(value * 100) / 100);
}

}  // namespace

void TimeChart::drawBackground(QPainter* painter, const QRectF& rect) {
  QChartView::drawBackground(painter, rect);
  painter->save();
  painter->setClipRect(chart()->plotArea());
  paintWarmups(*painter);
  paintBand(*painter);
  painter->restore();
}

void TimeChart::drawForeground(QPainter* painter, const QRectF&) {
  painter->save();
  painter->setFont(uiFont(kAxisFont));
  paintAxes(*painter);
  paintLegend(*painter);
  paintMarks(*painter);
  paintRange(*painter);
  paintHair(*painter);
  painter->restore();
}

bool TimeChart::crossesLine(const QRectF& box) const {
  const auto isIn = [&](const QPointF& point) {
    return box.adjusted(-4, -2, 4, 2).contains(xAt(view().to + point.x()), yAt(point.y()));
  };
  return std::ranges::any_of(m_lines, [&](const QLineSeries* line) {
    const QList<QPointF> points = line->points();
    return std::ranges::any_of(points, isIn);
  });
}

/// Grey spans. Each is named if its name fits and no line runs through it; else the legend has the
/// name (paintLegend).
void TimeChart::paintWarmups(QPainter& painter) const {
  const QRectF plot = chart()->plotArea();
  painter.setFont(uiFont(kAxisFont));
  const double width = painter.fontMetrics().horizontalAdvance(kWarmup);
  std::vector<QRectF> words;
  std::size_t seen = 0;
  for (const TimeSpan& span : m_content.warmups) {
    const QRectF whole(QPointF(xAt(span.from), plot.top()), QPointF(xAt(span.to), plot.bottom()));
    const QRectF box = whole & plot;
    if (box.width() <= 0) continue;
    ++seen;
    painter.fillRect(box, theme()[Tone::Hover]);
    const QRectF word(box.center().x() - width / 2, plot.bottom() - 20, width, 16);
    if (width + 6 <= box.width() && !crossesLine(word)) words.push_back(word);
  }
  m_warmupsNamed = words.size() == seen;
  if (!m_warmupsNamed) return;
  painter.setPen(theme()[Tone::Text2]);
  for (const QRectF& word : words) painter.drawText(word, Qt::AlignCenter, kWarmup);
}

/// A line at each mark, with its text to the right of it where that has room before the next one.
void TimeChart::paintMarks(QPainter& painter) const {
  const QRectF plot = chart()->plotArea();
  const QFontMetricsF metrics(painter.font());
  for (std::size_t i = 0; i < m_content.marks.size(); ++i) {
    const double x = std::round(xAt(m_content.marks[i].time)) + 0.5;
    if (x < plot.left() || x > plot.right()) continue;
    painter.setPen(QPen(theme()[Tone::Control], 1, Qt::DotLine));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    const double next = i + 1 < m_content.marks.size()
                            ? std::min(xAt(m_content.marks[i + 1].time), plot.right())
                            : plot.right();
    const QRectF word(x + 4, plot.top() + 1, metrics.horizontalAdvance(m_content.marks[i].text),
                      14);
    if (word.right() > next || crossesLine(word)) continue;
    painter.setPen(theme()[Tone::Text2]);
    painter.drawText(word, Qt::AlignCenter, m_content.marks[i].text);
  }
}

void TimeChart::paintBand(QPainter& painter) const {
  const auto& low = m_content.bandLow.points();
  const auto& high = m_content.bandHigh.points();
  QColor fill = theme().series(0);
  fill.setAlphaF(0.28F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  QPolygonF upper;
  QPolygonF lower;
  const auto flush = [&] {
    std::ranges::reverse(lower);
    painter.drawPolygon(upper + lower);
    upper.clear();
    lower.clear();
  };
  for (std::size_t i = 0; i < low.size() && i < high.size(); ++i) {
    if (std::isnan(low[i].value)) {
      flush();
      continue;
    }
    upper.append({xAt(low[i].time), yAt(high[i].value)});
    lower.append({xAt(low[i].time), yAt(low[i].value)});
  }
  flush();
}

QStringList TimeChart::legendNames() const {
  QStringList names;
  for (const ChartLine& line : m_content.lines) names << line.name;
  if (!m_content.bandName.isEmpty()) names << m_content.bandName;
  if (!m_content.warmups.empty()) names << kWarmup;
  return names;
}

QList<QPointF> TimeChart::legendPlaces() const {
  const QFontMetricsF metrics(uiFont(kAxisFont));
  const int rows = std::clamp(height() / kHeightForRow, 1, kMostRows);
  QList<QPointF> places;
  QPointF at(kLegendLeft, 0);
  for (const QString& name : legendNames()) {
    const double right = at.x() + kSwatchRoom + metrics.horizontalAdvance(name);
    if (right > viewport()->width() && at.x() > kLegendLeft) {
      at = {kLegendLeft, at.y() + kLegendRow};
      if (at.y() >= rows * kLegendRow) break;
    }
    places << at;
    at.rx() += kSwatchRoom + metrics.horizontalAdvance(name) + 16;
  }
  return places;
}

void TimeChart::paintLegend(QPainter& painter) const {
  const QStringList names = legendNames();
  const QList<QPointF> places = legendPlaces();
  qsizetype next = 0;
  const auto entry = [&](auto&& swatch) {
    if (next >= places.size()) return;
    swatch(QRectF(places[next] + QPointF(0, 6), QSizeF(16, 14)));
    painter.setPen(theme()[Tone::Text2]);
    painter.drawText(places[next] + QPointF(kSwatchRoom, 17), names[next]);
    ++next;
  };
  for (const ChartLine& line : m_content.lines)
    entry([&](const QRectF& box) {
      QPen pen(colourOf(line), std::min(line.width, 3.0));
      if (line.dashed) pen.setDashPattern({3, 1.5});
      painter.setPen(pen);
      painter.drawLine(QPointF(box.left(), box.center().y()),
                       QPointF(box.right(), box.center().y()));
    });
  if (!m_content.bandName.isEmpty())
    entry([&](const QRectF& box) {
      QColor fill = theme().series(0);
      fill.setAlphaF(0.4F);
      painter.fillRect(box.adjusted(1, 2, -1, -2), fill);
    });
  if (!m_warmupsNamed)
    entry([&](const QRectF& box) {
      painter.fillRect(box.adjusted(1, 2, -1, -2), theme()[Tone::Hover]);
      painter.setPen(QPen(theme()[Tone::Border], 1));
      painter.drawRect(box.adjusted(1, 2, -1, -2));
    });
}

void TimeChart::paintAxes(QPainter& painter) const {
  const QRectF plot = chart()->plotArea();
  painter.setPen(theme()[Tone::Text2]);
  for (const double tick : m_values.ticks) {
    QString word = m_values.word(tick);
    if (tick == m_values.ticks.back() && m_content.unit == "%") word += kNoBreak + QString("%");
    painter.drawText(QRectF(0, yAt(tick) - 8, plot.left() - 6, 16),
                     Qt::AlignRight | Qt::AlignVCenter, word);
  }
  for (const double tick : m_times.ticks) {
    QString word = m_times.word(tick);
    if (tick == m_times.ticks.back()) word += kNoBreak + QString("s");
    const double x = xAt(tick + zero());
    QRectF box(x - 30, plot.bottom() + 5, 60, 16);
    const double room = painter.fontMetrics().horizontalAdvance(word);
    if (x + room / 2 > viewport()->width()) box.moveRight(viewport()->width() - 4 + 30 - room / 2);
    painter.drawText(box, Qt::AlignTop | Qt::AlignHCenter, word);
  }
}

void TimeChart::paintRange(QPainter& painter) const {
  if (!m_link.range()) return;
  const QRectF plot = chart()->plotArea();
  const double left = std::max(plot.left(), xAt(m_link.range()->from));
  const double right = std::min(plot.right(), xAt(m_link.range()->to));
  if (right <= left) return;
  QColor fill = theme()[Tone::Accent];
  fill.setAlphaF(0.16F);
  painter.fillRect(QRectF(QPointF(left, plot.top()), QPointF(right, plot.bottom())), fill);
  painter.setPen(QPen(theme()[Tone::Accent], 1));
  for (const double x : {left, right})
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
}

void TimeChart::paintHair(QPainter& painter) const {
  if (!m_link.hair()) return;
  const QRectF plot = chart()->plotArea();
  const double x = xAt(*m_link.hair());
  if (x < plot.left() || x > plot.right() + 1) return;
  painter.setPen(QPen(theme()[Tone::Text], 1, Qt::DashLine));
  painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  QStringList values;
  for (const ChartLine& line : m_content.lines)
    if (const auto value = line.values.at(*m_link.hair())) values << valueWord(*value);
  const double tenths = m_times.high - m_times.low < 20 ? 10 : 1;
  const double time = std::round((*m_link.hair() - zero()) * tenths) / tenths;
  const QString text =
      shownNumber(time) + kNoBreak + "s: " + (values.isEmpty() ? QString("–") : values.join(" · "));
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 16;
  QRectF box(x - width - 6, plot.top() + 4, width, 20);
  if (box.left() < plot.left()) box.moveLeft(x + 6);
  painter.setPen(QPen(theme()[Tone::Border], 1));
  painter.setBrush(theme()[Tone::Panel]);
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(theme()[Tone::Text]);
  painter.drawText(box, Qt::AlignCenter, text);
}

}  // namespace millrace
