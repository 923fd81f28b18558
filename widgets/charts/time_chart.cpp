// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/time_chart.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include "widgets/charts/chart_link.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr QMarginsF kAround(50, 28, 14, 24);
constexpr double kKeyStep = 1;       ///< s
constexpr double kLeastRange = 0.3;  ///< s; a shorter drag is a click
constexpr double kLeastZoom = 2;     ///< s
constexpr double kZoomStep = 1.25;   ///< for a notch of the wheel
constexpr double kMoveStep = 0.1;    ///< of the view, for a notch
constexpr double kNotch = 120;       ///< the wheel's angle
constexpr double kDash = 0.006;      ///< half the length of a dash, of the view
constexpr double kTickHeight = 34;
constexpr double kTickWidth = 64;
constexpr int kMostTicks = 6;

/// A value between two gaps would be a line without a length: it becomes a dash.
QList<QPointF> withDashes(const QList<QPointF>& points, double half) {
  const auto isGap = [&](qsizetype i) {
    return i < 0 || i >= points.size() || std::isnan(points[i].y());
  };
  QList<QPointF> drawn;
  for (qsizetype i = 0; i < points.size(); ++i) {
    const QPointF& point = points[i];
    if (!isGap(i) && isGap(i - 1) && isGap(i + 1))
      drawn << QPointF(point.x() - half, point.y()) << QPointF(point.x() + half, point.y());
    else
      drawn << point;
  }
  return drawn;
}

int ticksIn(double length, double each) {
  return std::clamp(static_cast<int>(length / each) + 1, 2, kMostTicks);
}

}  // namespace

TimeChart::TimeChart(ChartLink& link, QWidget* parent)
    : QChartView(new QChart, parent), m_link(link), m_x(new QValueAxis), m_y(new QValueAxis) {
  chart()->legend()->hide();
  chart()->setBackgroundVisible(false);
  chart()->setAnimationOptions(QChart::NoAnimation);
  chart()->addAxis(m_x, Qt::AlignBottom);
  chart()->addAxis(m_y, Qt::AlignLeft);
  for (QValueAxis* axis : {m_x, m_y}) axis->setLabelsVisible(false);
  m_x->setGridLineVisible(false);
  m_x->setTickCount(2);  // Only its ends: the labels have the ticks.
  setRenderHint(QPainter::Antialiasing);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  setMinimumSize(160, 104);
  const auto repaint = [this] { viewport()->update(); };
  connect(&link, &ChartLink::hairChanged, this, repaint);
  connect(&link, &ChartLink::rangeChanged, this, repaint);
  connect(&link, &ChartLink::zoomChanged, this, &TimeChart::draw);
  style();
  draw();
}

void TimeChart::show(const ChartContent& content) {
  m_content = content;
  addLines(content.lines.size());
  style();
  placePlot();
  draw();
}

/// Below the legend's rows.
void TimeChart::placePlot() {
  const QList<QPointF> places = legendPlaces();
  QMarginsF around = kAround;
  if (!places.isEmpty()) around.setTop(around.top() + places.last().y());
  const QRectF plot = QRectF(viewport()->rect()).marginsRemoved(around);
  if (plot == chart()->plotArea()) return;
  chart()->setPlotArea(plot);
  chart()->layout()->activate();
}

TimeSpan TimeChart::view() const { return m_link.zoom().value_or(m_content.whole()); }

/// The time that the axis calls 0.
double TimeChart::zero() const {
  return m_content.over || m_link.zoom() ? m_content.began : m_content.now;
}

void TimeChart::draw() {
  const TimeSpan shown = view();
  m_most = 0;
  for (std::size_t i = 0; i < m_content.lines.size(); ++i) {
    const QList<QPointF> points = m_content.lines[i].values.drawn(shown.from, shown.to);
    for (const QPointF& point : points)
      if (point.x() >= shown.from - shown.to && point.x() <= 0 && !std::isnan(point.y()))
        m_most = std::max(m_most, point.y());
    m_lines[i]->replace(withDashes(points, kDash * (shown.to - shown.from)));
  }
  fitTop();
  fitTimes();
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
  constexpr double kHeadroom = 1.08;
  constexpr double kMostlyEmpty = 0.45;
  const double top =
      m_content.top ? *m_content.top : std::max(m_most * kHeadroom, m_content.leastTop);
  const int ticks = ticksIn(chart()->plotArea().height(), kTickHeight);
  const PlotAxis wanted = roundAxis(0, top > 0 ? top : 1, ticks);
  const bool fits = !m_content.top && m_most <= m_values.high &&
                    wanted.high > kMostlyEmpty * m_values.high &&
                    std::ssize(m_values.ticks) <= ticks && std::ssize(m_values.ticks) > 1;
  if (fits || wanted.ticks == m_values.ticks) return;
  m_values = wanted;
  m_y->setRange(0, m_values.high);
  m_y->setTickCount(static_cast<int>(m_values.ticks.size()));
}

void TimeChart::fitTimes() {
  const TimeSpan shown = view();
  m_times = exactAxis(shown.from - zero(), shown.to - zero(),
                      ticksIn(chart()->plotArea().width(), kTickWidth));
  m_x->setRange(shown.from - shown.to, 0);  // Does nothing if it is unchanged.
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
  placePlot();
  QChartView::resizeEvent(event);
  fitTop();
  fitTimes();
}

double TimeChart::timeAt(double x) const {
  const QRectF plot = chart()->plotArea();
  const TimeSpan shown = view();
  const double share = std::clamp((x - plot.left()) / plot.width(), 0.0, 1.0);
  return shown.from + share * (shown.to - shown.from);
}

double TimeChart::xAt(double time) const {
  const QRectF plot = chart()->plotArea();
  const TimeSpan shown = view();
  return plot.left() + (time - shown.from) / (shown.to - shown.from) * plot.width();
}

double TimeChart::yAt(double value) const {
  const QRectF plot = chart()->plotArea();
  return plot.bottom() - m_values.shareOf(value) * plot.height();
}

/// `at` stays where it is.
void TimeChart::zoomBy(double factor, double at) {
  const TimeSpan whole = m_content.whole();
  const TimeSpan shown = view();
  const double length = (shown.to - shown.from) / factor;
  if (length >= whole.to - whole.from) return m_link.setZoom(std::nullopt);
  if (length < kLeastZoom) return;
  const double share = (at - shown.from) / (shown.to - shown.from);
  const double from = std::clamp(at - share * length, whole.from, whole.to - length);
  m_link.setZoom(TimeSpan{from, from + length});
}

void TimeChart::moveBy(double seconds) {
  if (!m_link.zoom()) return;
  const TimeSpan shown = view();
  const double length = shown.to - shown.from;
  const double from = std::clamp(shown.from + seconds, std::min(m_content.began, shown.from),
                                 std::max(m_content.now - length, shown.from));
  m_link.setZoom(TimeSpan{from, from + length});
}

void TimeChart::reset() {
  m_link.setZoom(std::nullopt);
  m_link.setRange(std::nullopt);
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

void TimeChart::mouseDoubleClickEvent(QMouseEvent* event) {
  event->accept();
  if (event->button() == Qt::LeftButton) reset();
}

void TimeChart::wheelEvent(QWheelEvent* event) {
  event->accept();
  if (!m_content.hasValues()) return;
  // With Shift or Alt, platforms report the wheel as horizontal.
  const QPoint turned = event->angleDelta();
  const bool moves = event->modifiers().testFlag(Qt::ShiftModifier) || turned.y() == 0;
  const double notches = (turned.y() != 0 ? turned.y() : turned.x()) / kNotch;
  const TimeSpan shown = view();
  if (moves) return moveBy(-notches * kMoveStep * (shown.to - shown.from));
  zoomBy(std::pow(kZoomStep, notches), timeAt(event->position().x()));
}

void TimeChart::contextMenuEvent(QContextMenuEvent* event) { event->ignore(); }

void TimeChart::leaveEvent(QEvent* event) {
  QChartView::leaveEvent(event);
  m_link.setHair(std::nullopt);
}

void TimeChart::keyPressEvent(QKeyEvent* event) {
  const TimeSpan shown = view();
  const double at = m_link.hair().value_or(shown.to);
  switch (event->key()) {
    case Qt::Key_Left: m_link.setHair(std::max(at - kKeyStep, shown.from)); break;
    case Qt::Key_Right: m_link.setHair(std::min(at + kKeyStep, shown.to)); break;
    case Qt::Key_Plus: zoomBy(kZoomStep, at); break;
    case Qt::Key_Minus: zoomBy(1 / kZoomStep, at); break;
    case Qt::Key_Escape:
      if (!m_link.hair() && !m_link.range() && !m_link.zoom()) return event->ignore();
      m_link.setHair(std::nullopt);
      reset();
      break;
    default: event->ignore();
  }
}

}  // namespace millrace
