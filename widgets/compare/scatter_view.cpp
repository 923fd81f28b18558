// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/scatter_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <QMouseEvent>
#include <QPainter>

#include <fmt/format.h>

#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kPointReach = 10;
constexpr double kRadius = 4.5;
constexpr double kBandFrom = 5;

/// The area that a point covers.
QRectF around(QPointF at) { return {at.x() - kRadius, at.y() - kRadius, 2 * kRadius, 2 * kRadius}; }

}  // namespace

ScatterView::ScatterView(CompareSet& set, QWidget* parent)
    : CompareView("Cost against throughput", set, parent) {
  connect(&set, &CompareSet::cloudChanged, this, [this, &set] {
    m_front = paretoFront(set.cloud().runs);
    update();
  });
  connect(&set, &CompareSet::changed, this, qOverload<>(&QWidget::update));
}

QString ScatterView::emptyReason() const {
  if (std::ranges::any_of(set().cloud().runs, [this](const auto& run) { return hasPoint(run); }))
    return {};
  return "No run of the list has both figures yet.";
}

PlotFrame ScatterView::frame() const {
  double most = 0;
  double cheapest = std::numeric_limits<double>::infinity();
  double dearest = 0;
  for (const CloudRun& run : set().cloud().runs) {
    if (!hasPoint(run)) continue;
    most = std::max(most, *run.rate);
    cheapest = std::min(cheapest, *run.cost);
    dearest = std::max(dearest, *run.cost);
  }
  PlotFrame frame;
  frame.area = QRectF(rect()).adjusted(54, 40, -30, -46);
  const double room = (dearest - cheapest) * 0.06;
  frame.x = roundAxis(std::max(0.0, cheapest - room), dearest + room,
                      std::max(2, static_cast<int>(frame.area.width() / 70)));
  frame.y = roundAxis(0, most * 1.05, std::max(2, static_cast<int>(frame.area.height() / 36)));
  return frame;
}

std::optional<QPointF> ScatterView::placeOf(RunNumber run) const {
  for (const CloudRun& one : set().cloud().runs)
    if (one.number == run && hasPoint(one)) return frame().at(*one.cost, *one.rate);
  return std::nullopt;
}

void ScatterView::paintPlot(QPainter& painter) {
  const PlotFrame frame = this->frame();
  frame.paint(painter);
  frame.paintTitles(painter, "samples/s", "CPU seconds per 1 000 samples");
  const RunCloud& cloud = set().cloud();
  QString words = "dashed: no run is faster at less cost";
  const auto shown = static_cast<std::int64_t>(cloud.runs.size());
  if (shown < cloud.matching)
    words = QString("the newest %1 of %2 runs").arg(shown).arg(cloud.matching);
  frame.paintCaption(painter, words);
  QPolygonF line;
  for (const std::size_t i : m_front) line << frame.at(*cloud.runs[i].cost, *cloud.runs[i].rate);
  QPen dashed(theme()[Tone::Control], 1.2);
  dashed.setDashPattern({4, 3});
  painter.setPen(dashed);
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(line);
  // The chosen ones last, so that they are drawn above the others.
  std::vector<QRectF> taken;
  for (const CloudRun& run : cloud.runs)
    if (hasPoint(run)) taken.push_back(around(frame.at(*run.cost, *run.rate)));
  for (const bool chosen : {false, true})
    for (const CloudRun& run : cloud.runs)
      if (hasPoint(run) && (set().seriesOf(run.number) >= 0) == chosen)
        paintPoint(painter, run, frame.at(*run.cost, *run.rate));
  for (const bool chosen : {true, false})
    for (const CloudRun& run : cloud.runs)
      if (hasPoint(run) && (set().seriesOf(run.number) >= 0) == chosen)
        paintName(painter, run, frame.at(*run.cost, *run.rate), taken);
  if (m_band.isNull()) return;
  QColor fill = theme()[Tone::Accent];
  painter.setPen(QPen(fill, 1));
  fill.setAlphaF(0.12F);
  painter.setBrush(fill);
  painter.drawRect(m_band);
}

void ScatterView::paintPoint(QPainter& painter, const CloudRun& run, QPointF at) const {
  const int series = set().seriesOf(run.number);
  const double radius = isHovered(run.number) ? kRadius + 2 : kRadius;
  if (series >= 0) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().series(series));
    painter.drawEllipse(at, radius + 1, radius + 1);
    return;
  }
  painter.setPen(QPen(theme()[Tone::Control], 1.5));
  painter.setBrush(theme()[Tone::Base]);
  painter.drawEllipse(at, radius, radius);
}

/// Writes a run's name above, right of, left of or below its point, wherever there is room. If
/// there is none, only the names of chosen runs are written.
void ScatterView::paintName(QPainter& painter, const CloudRun& run, QPointF at,
                            std::vector<QRectF>& taken) const {
  const bool chosen = set().seriesOf(run.number) >= 0;
  const QFont font = uiFont(11, chosen || isHovered(run.number));
  const QString name = QString::number(static_cast<std::int64_t>(run.number));
  const double width = QFontMetricsF(font).horizontalAdvance(name) + 2;
  constexpr double kHeight = 13;
  const QRectF boxes[] = {{at.x() - width / 2, at.y() - 20, width, kHeight},
                          {at.x() + 9, at.y() - kHeight / 2, width, kHeight},
                          {at.x() - 9 - width, at.y() - kHeight / 2, width, kHeight},
                          {at.x() - width / 2, at.y() + 8, width, kHeight}};
  const auto write = [&](const QRectF& box) {
    taken.push_back(box);
    painter.setFont(font);
    painter.setPen(theme()[chosen ? Tone::Text : Tone::Text2]);
    painter.drawText(box, Qt::AlignCenter, name);
  };
  for (const QRectF& box : boxes) {
    if (!QRectF(rect()).contains(box)) continue;
    if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(box); }))
      continue;
    return write(box);
  }
  if (chosen) write(boxes[0]);
}

std::optional<RunNumber> ScatterView::runAt(QPointF at) const {
  const PlotFrame frame = this->frame();
  std::optional<RunNumber> nearest;
  double least = kPointReach;
  for (const CloudRun& run : set().cloud().runs) {
    if (!hasPoint(run)) continue;
    const QPointF place = frame.at(*run.cost, *run.rate);
    const double distance = std::hypot(place.x() - at.x(), place.y() - at.y());
    if (distance > least) continue;
    least = distance;
    nearest = run.number;
  }
  return nearest;
}

void ScatterView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) m_pressed = event->position();
}

void ScatterView::mouseMoveEvent(QMouseEvent* event) {
  CompareView::mouseMoveEvent(event);
  if (!m_pressed || !event->buttons().testFlag(Qt::LeftButton)) return;
  const QRectF band = QRectF(*m_pressed, event->position()).normalized();
  m_band = band.width() + band.height() > kBandFrom ? band : QRectF();
  update();
}

void ScatterView::mouseReleaseEvent(QMouseEvent* event) {
  const QRectF band = std::exchange(m_band, QRectF());
  m_pressed.reset();
  update();
  if (band.isNull()) {
    CompareView::mouseReleaseEvent(event);
    return;
  }
  const PlotFrame frame = this->frame();
  std::vector<RunNumber> inside;
  for (const CloudRun& run : set().cloud().runs)
    if (hasPoint(run) && band.contains(frame.at(*run.cost, *run.rate)))
      inside.push_back(run.number);
  set().choose(inside);
}

std::string ScatterView::csv() const {
  std::string text = "run,cpu_seconds_per_1000_samples,samples_per_second,on_front\n";
  const RunCloud& cloud = set().cloud();
  for (std::size_t i = 0; i < cloud.runs.size(); ++i) {
    const CloudRun& run = cloud.runs[i];
    if (!hasPoint(run)) continue;
    text += fmt::format("{},{:.6g},{:.6g},{}\n", static_cast<std::int64_t>(run.number), *run.cost,
                        *run.rate, std::ranges::find(m_front, i) != m_front.end() ? 1 : 0);
  }
  return text;
}

}  // namespace millrace
