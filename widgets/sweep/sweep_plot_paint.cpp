// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Painting of SweepPlot.
#include <algorithm>
#include <cmath>

#include <QPainter>

#include "widgets/common/icons.h"
#include "widgets/common/theme.h"
#include "widgets/models/live/run_overlay.h"
#include "widgets/models/search/live_sweep.h"
#include "widgets/sweep/sweep_plot.h"

namespace millrace {

namespace {

constexpr double kHead = 40;      ///< room above, for the scale or the axis title
constexpr double kFoot = 44;      ///< room below, for values and the parameter's name
constexpr double kTextRoom = 44;  ///< a narrower cell shows its figure only in the tooltip

QColor mixed(const QColor& a, const QColor& b, double share) {
  const auto part = [share](float x, float y) { return static_cast<float>(x + (y - x) * share); };
  return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()),
                          part(a.blueF(), b.blueF()));
}

QString elided(const QPainter& painter, const QString& text, double width) {
  return QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, width);
}

}  // namespace

QColor sweepShade(double share) {
  // A larger share would cost the text its contrast.
  const double most = theme().isDark() ? 0.52 : 0.72;
  constexpr double kLeast = 0.06;
  return mixed(theme()[Tone::Base], theme()[Tone::Water],
               kLeast + (most - kLeast) * std::clamp(share, 0.0, 1.0));
}

// The line plot.

PlotFrame SweepPlot::frame() const {
  PlotFrame frame;
  frame.area = QRectF(rect()).adjusted(62, kHead, -24, -kFoot);
  frame.x = {-0.5, static_cast<double>(m_grid->columns.size()) - 0.5, {}};
  double top = m_grid->most;
  for (std::size_t p = 0; p < m_sweep.points().size(); ++p) {
    for (const SpanFigures& repeat : m_sweep.points()[p].repeats)
      top = std::max(top, repeat.samplesPerSecond.mean.value_or(0));
  }
  frame.y = roundAxis(0, std::max(top, 1.0) * 1.08,
                      std::max(2, static_cast<int>(frame.area.height() / 40)));
  return frame;
}

void SweepPlot::paintLine(QPainter& painter) const {
  const PlotFrame frame = this->frame();
  frame.paint(painter);
  frame.paintTitles(painter, "samples/s", {});
  painter.setFont(uiFont(11));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(
      QRectF(12, 12, frame.area.right() - 90, 16), Qt::AlignLeft | Qt::AlignVCenter,
      elided(painter, "mean of the repeats; short lines: single repeats", frame.area.right() - 90));
  QPolygonF line;
  const QPen pen(theme().series(0), 2);
  const auto draw = [&] {
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (line.size() > 1) painter.drawPolyline(line);
    line.clear();
  };
  // Only for numbers: a line between texts would suggest values in between.
  for (std::size_t c = 0; m_grid->numbers && c < m_grid->columns.size(); ++c) {
    const auto point = m_grid->at(0, c);
    const auto rate = point ? m_sweep.rateOf(*point) : std::nullopt;
    if (rate)
      line << frame.at(static_cast<double>(c), *rate);
    else
      draw();
  }
  draw();
  for (std::size_t c = 0; c < m_grid->columns.size(); ++c)
    if (const auto point = m_grid->at(0, c))
      paintMark(painter, frame, *point, frame.at(static_cast<double>(c), 0).x());
  paintNames(painter);
}

QString SweepPlot::bestWord() const {
  return m_sweep.finding().rivals.empty() ? "fastest" : "highest";
}

QString SweepPlot::labelOf(std::size_t point) const {
  const auto rate = m_sweep.rateOf(point);
  if (!rate) return {};
  return (m_sweep.finding().best == point ? bestWord() + ' ' : QString()) + shownRate(*rate);
}

QRectF SweepPlot::labelBox(std::size_t point) const {
  constexpr double kAbove = 10;  ///< as the ring
  const PlotFrame frame = this->frame();
  const QPointF at = placeOf(point);
  double top = at.y() - kAbove;
  for (const SpanFigures& repeat : m_sweep.points()[point].repeats)
    if (const auto rate = repeat.samplesPerSecond.mean)
      top = std::min(top, frame.at(0, *rate).y() - 2);
  return {at.x() - 60, top - 16, 120, 16};
}

void SweepPlot::paintMark(QPainter& painter, const PlotFrame& frame, std::size_t point,
                          double x) const {
  const PointState& state = m_sweep.points()[point];
  const auto y = [&](double rate) { return frame.at(0, rate).y(); };
  const QColor colour = theme().series(0);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colour, 1.5));
  for (const SpanFigures& repeat : state.repeats)
    if (const auto rate = repeat.samplesPerSecond.mean)
      painter.drawLine(QPointF(x - 5, y(*rate)), QPointF(x + 5, y(*rate)));
  const auto rate = m_sweep.rateOf(point);
  const QPointF at(x, rate ? y(*rate) : frame.area.bottom());
  if (state.failed()) {
    painter.setPen(QPen(theme()[Tone::Error], 2));
    painter.drawLine(at + QPointF(-5, -13), at + QPointF(5, -3));
    painter.drawLine(at + QPointF(-5, -3), at + QPointF(5, -13));
    painter.setFont(uiFont(11));
    painter.drawText(QRectF(x - 40, at.y() - 32, 80, 16), Qt::AlignCenter, "failed");
  } else if (rate) {
    painter.setPen(QPen(theme()[Tone::Base], 1));
    painter.setBrush(colour);
    painter.drawEllipse(at, 5, 5);
    const bool best = m_sweep.finding().best == point;
    painter.setPen(theme()[Tone::Text]);
    painter.setFont(uiFont(11, best));
    painter.drawText(labelBox(point), Qt::AlignCenter, labelOf(point));
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme()[Tone::Accent], 2));
  if (m_sweep.running() == point || m_chosen == point) painter.drawEllipse(at, 10, 10);
}

// The map.

QRectF SweepPlot::mapArea() const {
  const QFontMetricsF metrics(uiFont(11));
  double names = 40;
  for (const Value& value : m_grid->rows)
    names = std::max(names, metrics.horizontalAdvance(shownSetting(value)));
  return QRectF(rect()).adjusted(std::min(names, width() * 0.3) + 40, kHead, -16, -kFoot);
}

QRectF SweepPlot::cellBox(std::size_t row, std::size_t column) const {
  const QRectF area = mapArea();
  const double w = area.width() / static_cast<double>(m_grid->columns.size());
  const double h = area.height() / static_cast<double>(m_grid->rows.size());
  return {area.left() + w * static_cast<double>(column), area.top() + h * static_cast<double>(row),
          w, h};
}

void SweepPlot::paintScale(QPainter& painter) const {
  painter.setFont(uiFont(11));
  painter.setPen(theme()[Tone::Text2]);
  if (m_grid->most <= 0) {
    painter.drawText(QRectF(12, 10, width() - 24, 16), Qt::AlignLeft | Qt::AlignVCenter,
                     "samples/s; the first settings are being measured");
    return;
  }
  constexpr double kWidth = 140;
  const QString low = shownRate(m_grid->least);
  const double left = 12 + QFontMetricsF(painter.font()).horizontalAdvance(low) + 8;
  painter.drawText(QRectF(12, 10, left, 16), Qt::AlignLeft | Qt::AlignVCenter, low);
  painter.drawText(
      QRectF(left + kWidth + 8, 10, width() - left - kWidth - 20, 16),
      Qt::AlignLeft | Qt::AlignVCenter,
      elided(painter,
             shownRate(m_grid->most) + " samples/s" +
                 (m_sweep.plan().axes.size() > 2 ? ", best over the other parameters" : ""),
             width() - left - kWidth - 20));
  constexpr int kSteps = 20;
  for (int i = 0; i < kSteps; ++i)
    painter.fillRect(QRectF(left + kWidth * i / kSteps, 13, kWidth / kSteps + 0.5, 10),
                     sweepShade(static_cast<double>(i) / (kSteps - 1)));
  painter.setPen(theme()[Tone::Control]);
  painter.drawRect(QRectF(left, 13, kWidth, 10));
}

void SweepPlot::paintCell(QPainter& painter, const QRectF& box, std::size_t point) const {
  const PointState& state = m_sweep.points()[point];
  const auto rate = m_sweep.rateOf(point);
  const bool best = m_sweep.finding().best == point;
  const double span = m_grid->most - m_grid->least;
  QColor ground = theme()[Tone::Alt];
  if (state.failed()) ground = theme()[Tone::ErrorSoft];
  if (rate) ground = sweepShade(span > 0 ? (*rate - m_grid->least) / span : 1);
  painter.fillRect(box.adjusted(1, 1, -1, -1), ground);
  QString words = rate ? shownRate(*rate) : m_sweep.stateText(point);
  if (m_sweep.running() == point && !rate) words = "…";
  if (state.failed()) words = "failed";
  painter.setPen(theme()[state.failed() ? Tone::Error : rate ? Tone::Text : Tone::Hint]);
  painter.setFont(uiFont(12, best));
  if (box.width() >= kTextRoom && box.height() >= 16)
    painter.drawText(box, Qt::AlignCenter, elided(painter, words, box.width() - 6));
  const bool now = m_sweep.plan().points[point].current;
  if ((best || now) && box.width() >= kTextRoom && box.height() >= 46) {
    painter.setFont(uiFont(11));
    const QString mark = best ? bestWord() + (now ? ", now" : "") : "now";
    painter.drawText(box.adjusted(0, 26, 0, 0), Qt::AlignCenter, mark);
  }
  painter.setBrush(Qt::NoBrush);
  const bool ringed = m_sweep.running() == point || m_chosen == point;
  if (best || ringed) {
    painter.setPen(QPen(theme()[ringed ? Tone::Accent : Tone::Text], 2));
    painter.drawRect(box.adjusted(2, 2, -2, -2));
  }
}

void SweepPlot::paintMap(QPainter& painter) const {
  paintScale(painter);
  const QRectF area = mapArea();
  painter.fillRect(area, theme()[Tone::Border]);
  for (std::size_t r = 0; r < m_grid->rows.size(); ++r)
    for (std::size_t c = 0; c < m_grid->columns.size(); ++c) {
      const QRectF box = cellBox(r, c);
      if (const auto point = m_grid->at(r, c))
        paintCell(painter, box, *point);
      else
        painter.fillRect(box.adjusted(1, 1, -1, -1), theme()[Tone::Base]);
    }
  painter.setFont(uiFont(11));
  painter.setPen(theme()[Tone::Text2]);
  for (std::size_t r = 0; r < m_grid->rows.size(); ++r) {
    const QRectF box = cellBox(r, 0);
    const double room = area.left() - 34;
    painter.drawText(QRectF(26, box.top(), room, box.height()), Qt::AlignRight | Qt::AlignVCenter,
                     elided(painter, shownSetting(m_grid->rows[r]), room));
  }
  painter.save();
  painter.translate(14, area.center().y());
  painter.rotate(-90);
  painter.drawText(QRectF(-area.height() / 2, -8, area.height(), 16), Qt::AlignCenter,
                   elided(painter, shownParameter(m_sweep, *m_grid->y), area.height()));
  painter.restore();
  paintNames(painter);
}

void SweepPlot::paintNames(QPainter& painter) const {
  const QRectF area = m_grid->y ? mapArea() : frame().area;
  const double w = area.width() / static_cast<double>(m_grid->columns.size());
  painter.setFont(uiFont(11));
  painter.setPen(theme()[Tone::Text2]);
  // If the labels would overlap, only every second or third is written.
  double widest = 1;
  for (const Value& value : m_grid->columns)
    widest = std::max(widest, QFontMetricsF(painter.font()).horizontalAdvance(shownSetting(value)));
  const auto step = static_cast<std::size_t>(
      m_grid->numbers ? std::ceil(std::max(1.0, (widest + 8) / std::max(1.0, w))) : 1);
  const Value& now = m_sweep.plan().points[m_sweep.plan().current()].values[m_grid->x];
  for (std::size_t c = 0; c < m_grid->columns.size(); c += step) {
    const double room = w * static_cast<double>(step);
    const bool isNow = !m_grid->y && m_grid->columns[c] == now;
    const QString text = shownSetting(m_grid->columns[c]) + (isNow ? ", now" : "");
    painter.drawText(QRectF(area.left() + w * (static_cast<double>(c) + 0.5) - room / 2,
                            area.bottom() + 5, room, 16),
                     Qt::AlignCenter, elided(painter, text, room));
  }
  painter.drawText(QRectF(area.left(), area.bottom() + 24, area.width(), 16), Qt::AlignCenter,
                   elided(painter, shownParameter(m_sweep, m_grid->x), area.width()));
}

void SweepPlot::paintEmpty(QPainter& painter) const {
  paintIcon(painter, "sweep", QRectF(width() / 2.0 - 13, height() / 2.0 - 34, 26, 26),
            theme()[Tone::Hint]);
  painter.setFont(uiFont(13));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(QRectF(12, height() / 2.0, width() - 24, height() / 2.0),
                   Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                   m_sweep.state() == LiveSweep::State::Preparing
                       ? "The engine is checking every setting."
                       : "Start a sweep from a parameter's menu in the inspector.");
}

void SweepPlot::paint(QPainter& painter) const {
  painter.fillRect(rect(), theme()[Tone::Base]);
  painter.setRenderHint(QPainter::Antialiasing);
  if (!m_grid)
    paintEmpty(painter);
  else if (m_grid->y)
    paintMap(painter);
  else
    paintLine(painter);
}

}  // namespace millrace
