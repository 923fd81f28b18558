// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/time_chart.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include "widgets/charts/chart_link.h"
#include "widgets/common/format.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kSpan = TimeSeries::kKeptSeconds;
constexpr int kTicks = 5;  ///< on each axis
constexpr int kAxisFont = 11;
constexpr QMarginsF kAround(50, 28, 14, 24);
constexpr double kKeyStep = 1;       ///< s
constexpr double kLeastRange = 0.3;  ///< s; a shorter drag is a click

/// The smallest of 1, 2, 2.5, 4, 5 times a power of ten that is at least `value`.
double roundTop(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 2.5, 4.0, 5.0, 10.0})
    if (step * power >= value) return step * power;
  return 10 * power;
}

QString axisWord(double value) {
  return shownNumber(std::abs(value) >= 10 ? std::round(value) : std::round(value * 100) / 100);
}

}  // namespace

TimeChart::TimeChart(ChartLink& link, QWidget* parent)
    : QChartView(new QChart, parent), m_link(link), m_x(new QValueAxis), m_y(new QValueAxis) {
  chart()->legend()->hide();
  chart()->setBackgroundVisible(false);
  chart()->setAnimationOptions(QChart::NoAnimation);
  chart()->addAxis(m_x, Qt::AlignBottom);
  chart()->addAxis(m_y, Qt::AlignLeft);
  m_x->setRange(-kSpan, 0);
  m_y->setRange(0, m_top);
  for (QValueAxis* axis : {m_x, m_y}) {
    axis->setLabelsVisible(false);
    axis->setTickCount(kTicks);
  }
  m_x->setGridLineVisible(false);
  setRenderHint(QPainter::Antialiasing);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setMinimumSize(150, 110);
  const auto repaint = [this] { viewport()->update(); };
  connect(&link, &ChartLink::hairChanged, this, repaint);
  connect(&link, &ChartLink::rangeChanged, this, repaint);
  style();
}

void TimeChart::show(const ChartContent& content) {
  m_content = content;
  addLines(content.lines.size());
  for (std::size_t i = 0; i < content.lines.size(); ++i)
    m_lines[i]->replace(content.lines[i].values.drawn(content.now));
  fitTop();
  style();
  viewport()->update();
}

void TimeChart::addLines(std::size_t count) {
  while (m_lines.size() < count) {
    auto* line = new QLineSeries;
    chart()->addSeries(line);
    line->attachAxis(m_x);
    line->attachAxis(m_y);
    m_lines.push_back(line);
  }
  for (std::size_t i = 0; i < m_lines.size(); ++i)
    if (i >= count) m_lines[i]->replace(QList<QPointF>());
}

/// Changing an axis costs as much as a line and is visible as a jump. So it grows only when it must
/// and shrinks only when most of it is empty.
void TimeChart::fitTop() {
  double most = 0;
  for (const ChartLine& line : m_content.lines)
    for (const TimeSeries::Point& point : line.values.points())
      if (!std::isnan(point.value)) most = std::max(most, point.value);
  constexpr double kHeadroom = 1.08;
  const double wanted = m_content.top ? *m_content.top : roundTop(most * kHeadroom);
  const bool fits = !m_content.top && most <= m_top && wanted > 0.45 * m_top;
  if (wanted == m_top || fits) return;
  m_top = wanted;
  m_y->setRange(0, m_top);
}

QColor TimeChart::colourOf(const ChartLine& line) const {
  return line.quiet ? theme()[Tone::Text2] : theme().series(line.colour);
}

void TimeChart::style() {
  setBackgroundBrush(theme()[Tone::Base]);
  for (QValueAxis* axis : {m_x, m_y}) {
    const QPen grid(theme()[Tone::Border], 1);
    if (axis->gridLinePen() != grid) axis->setGridLinePen(grid);
    const QPen base(theme()[Tone::Control], 1);
    if (axis->linePen() != base) axis->setLinePen(base);
  }
  for (std::size_t i = 0; i < m_lines.size() && i < m_content.lines.size(); ++i) {
    const ChartLine& line = m_content.lines[i];
    QPen pen(colourOf(line), line.width);
    if (line.dashed) pen.setDashPattern({4, 2});
    if (m_lines[i]->pen() != pen) m_lines[i]->setPen(pen);
  }
}

void TimeChart::changeEvent(QEvent* event) {
  QChartView::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange ||
      event->type() == QEvent::FontChange)
    style();
}

void TimeChart::resizeEvent(QResizeEvent* event) {
  // Before the base class's resize: a plot area set after it takes effect only at the next resize.
  chart()->setPlotArea(QRectF(viewport()->rect()).marginsRemoved(kAround));
  QChartView::resizeEvent(event);
}

double TimeChart::timeAt(double x) const {
  const QRectF plot = chart()->plotArea();
  const double share = std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0);
  return m_content.now - kSpan * (1 - share);
}

double TimeChart::xAt(double time) const {
  const QRectF plot = chart()->plotArea();
  return plot.right() + (time - m_content.now) / kSpan * plot.width();
}

double TimeChart::yAt(double value) const {
  const QRectF plot = chart()->plotArea();
  return plot.bottom() - value / m_top * plot.height();
}

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
  paintRange(*painter);
  paintHair(*painter);
  painter->restore();
}

void TimeChart::paintWarmups(QPainter& painter) const {
  const QRectF plot = chart()->plotArea();
  painter.setFont(uiFont(kAxisFont));
  const auto boxOf = [&](const TimeSpan& span) {
    return QRectF(QPointF(xAt(span.from), plot.top()), QPointF(xAt(span.to), plot.bottom()));
  };
  // All bands first: a later one would cover the end of an earlier one's text.
  for (const TimeSpan& span : m_content.warmups)
    if (boxOf(span).right() >= plot.left()) painter.fillRect(boxOf(span), theme()[Tone::Hover]);
  double free = plot.left();  // Labels must not overlap.
  for (const TimeSpan& span : m_content.warmups) {
    const QRectF box = boxOf(span);
    if (box.right() < plot.left()) continue;
    const double width = painter.fontMetrics().horizontalAdvance("warm-up");
    painter.setPen(theme()[Tone::Text2]);
    const QRectF word(box.center().x() - width / 2, plot.bottom() - 20, width, 16);
    if (word.left() < std::max(plot.left(), free) || word.right() > plot.right()) continue;
    painter.drawText(word, Qt::AlignCenter, "warm-up");
    free = word.right() + 4;
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

void TimeChart::paintLegend(QPainter& painter) const {
  const QFontMetricsF metrics(painter.font());
  double x = 10;
  const auto entry = [&](const QString& name, auto&& swatch) {
    if (x + 22 + metrics.horizontalAdvance(name) > viewport()->width()) return;
    swatch(QRectF(x, 6, 16, 14));
    painter.setPen(theme()[Tone::Text2]);
    painter.drawText(QPointF(x + 22, 17), name);
    x += 22 + metrics.horizontalAdvance(name) + 16;
  };
  for (const ChartLine& line : m_content.lines)
    entry(line.name, [&](const QRectF& box) {
      QPen pen(colourOf(line), std::min(line.width, 3.0));
      if (line.dashed) pen.setDashPattern({3, 1.5});
      painter.setPen(pen);
      painter.drawLine(QPointF(box.left(), box.center().y()),
                       QPointF(box.right(), box.center().y()));
    });
  if (m_content.bandName.isEmpty()) return;
  entry(m_content.bandName, [&](const QRectF& box) {
    QColor fill = theme().series(0);
    fill.setAlphaF(0.4F);
    painter.fillRect(box.adjusted(1, 2, -1, -2), fill);
  });
}

void TimeChart::paintAxes(QPainter& painter) const {
  const QRectF plot = chart()->plotArea();
  painter.setPen(theme()[Tone::Text2]);
  for (int i = 0; i < kTicks; ++i) {
    const double share = static_cast<double>(i) / (kTicks - 1);
    QString value = axisWord(share * m_top);
    if (i + 1 == kTicks && m_content.unit == "%") value += kNoBreak + QString("%");
    painter.drawText(QRectF(0, plot.bottom() - share * plot.height() - 8, plot.left() - 6, 16),
                     Qt::AlignRight | Qt::AlignVCenter, value);
    QString seconds = axisWord(-kSpan * (1 - share));
    if (i + 1 == kTicks) seconds = QString("0") + kNoBreak + "s";
    const double x = plot.left() + share * plot.width();
    if (plot.width() < 200 && i % 2 == 1) continue;
    painter.drawText(QRectF(x - 30, plot.bottom() + 5, i + 1 == kTicks ? 40 : 60, 16),
                     Qt::AlignTop | int{i + 1 == kTicks ? Qt::AlignRight : Qt::AlignHCenter},
                     seconds);
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
    if (const auto value = line.values.at(*m_link.hair())) values << axisWord(*value);
  const double ago = *m_link.hair() - m_content.now;
  const QString text = axisWord(std::round(ago)) + kNoBreak +
                       "s: " + (values.isEmpty() ? QString("–") : values.join(" · "));
  const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 16;
  QRectF box(x - width - 6, plot.top() + 4, width, 20);
  if (box.left() < plot.left()) box.moveLeft(x + 6);
  painter.setPen(QPen(theme()[Tone::Border], 1));
  painter.setBrush(theme()[Tone::Panel]);
  painter.drawRoundedRect(box, 4, 4);
  painter.setPen(theme()[Tone::Text]);
  painter.drawText(box, Qt::AlignCenter, text);
}

void TimeChart::dragTo(double x) {
  const double time = timeAt(x);
  const TimeSpan span{std::min(*m_dragFrom, time), std::max(*m_dragFrom, time)};
  m_dragged = m_dragged || span.to - span.from >= kLeastRange;
  if (m_dragged) m_link.setRange(span);
}

void TimeChart::mousePressEvent(QMouseEvent* event) {
  event->accept();
  setFocus(Qt::MouseFocusReason);
  if (event->button() != Qt::LeftButton) return;
  m_dragFrom = timeAt(event->position().x());
  m_dragged = false;
}

void TimeChart::mouseMoveEvent(QMouseEvent* event) {
  event->accept();
  const bool inside = chart()->plotArea().adjusted(-4, -4, 4, 4).contains(event->position());
  m_link.setHair(inside ? std::optional(timeAt(event->position().x())) : std::nullopt);
  if (m_dragFrom && event->buttons().testFlag(Qt::LeftButton)) dragTo(event->position().x());
}

void TimeChart::mouseReleaseEvent(QMouseEvent* event) {
  event->accept();
  if (event->button() != Qt::LeftButton || !m_dragFrom) return;
  dragTo(event->position().x());
  if (!m_dragged) m_link.setRange(std::nullopt);
  m_dragFrom.reset();
}

void TimeChart::mouseDoubleClickEvent(QMouseEvent* event) { mousePressEvent(event); }

void TimeChart::wheelEvent(QWheelEvent* event) { event->ignore(); }

void TimeChart::leaveEvent(QEvent* event) {
  QChartView::leaveEvent(event);
  m_link.setHair(std::nullopt);
}

void TimeChart::keyPressEvent(QKeyEvent* event) {
  const double at = m_link.hair().value_or(m_content.now);
  switch (event->key()) {
    case Qt::Key_Left: m_link.setHair(std::max(at - kKeyStep, m_content.now - kSpan)); break;
    case Qt::Key_Right: m_link.setHair(std::min(at + kKeyStep, m_content.now)); break;
    case Qt::Key_Escape:
      if (!m_link.hair() && !m_link.range()) return event->ignore();
      m_link.setHair(std::nullopt);
      m_link.setRange(std::nullopt);
      break;
    default: event->ignore();
  }
}

}  // namespace millrace
