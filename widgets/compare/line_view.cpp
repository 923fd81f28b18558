// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/line_view.h"

#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include <fmt/format.h>

#include "core/analysis/statistics.h"
#include "core/compare/comparison.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kCursorReach = 12;  ///< pixels within which a line is under the cursor
constexpr double kNameHeight = 14;   ///< distance of the names at the lines' ends

double rateOf(const WindowRecord& window) {
  return window.seconds > 0 ? static_cast<double>(window.samples) / window.seconds : 0;
}

}  // namespace

RunLine lineOf(const ComparedRun& run) {
  RunLine line{run.summary.number, {}};
  std::size_t longest = 0;
  for (const ComparedRepeat& repeat : run.repeats)
    longest = std::max(longest, repeat.windows.size());
  for (std::size_t i = 0; i < longest; ++i) {
    std::vector<double> rates;
    double seconds = 0;
    for (const ComparedRepeat& repeat : run.repeats) {
      if (i >= repeat.windows.size()) continue;
      const WindowRecord& window = repeat.windows[i];
      rates.push_back(rateOf(window));
      seconds += window.startSeconds + window.seconds / 2 - repeat.windows.front().startSeconds;
    }
    const auto [low, high] = std::ranges::minmax(rates);
    line.points.push_back({seconds / static_cast<double>(rates.size()), low, *median(rates), high});
  }
  return line;
}

LineView::LineView(CompareSet& set, QWidget* parent)
    : ChosenRunsView("Throughput by time in the repeat",
                     "None of these runs has a measured second.", set, parent) {}

bool LineView::hasAnything() const {
  return std::ranges::any_of(m_lines, [](const RunLine& line) { return !line.points.empty(); });
}

PlotFrame LineView::frame() const {
  double top = 0;
  double end = 1;
  for (const RunLine& line : m_lines)
    for (const RunLine::Point& point : line.points) {
      top = std::max(top, point.high);
      end = std::max(end, point.seconds);
    }
  const bool narrow = width() < 260;
  PlotFrame frame;
  frame.area = QRectF(rect()).adjusted(54, 36, narrow ? -16 : -86, -28);
  frame.x = roundAxis(0, end, std::max(2, static_cast<int>(frame.area.width() / 70)));
  frame.y = roundAxis(0, top * 1.05, std::max(2, static_cast<int>(frame.area.height() / 36)));
  return frame;
}

void LineView::paintPlot(QPainter& painter) {
  const PlotFrame frame = this->frame();
  frame.paint(painter, "s");
  frame.paintTitles(painter, "samples/s", {});
  frame.paintCaption(painter, "median of the repeats, band: min to max");
  for (const RunLine& line : m_lines) paintLine(painter, frame, line);
  paintNames(painter, frame);
}

void LineView::paintLine(QPainter& painter, const PlotFrame& frame, const RunLine& line) const {
  if (line.points.empty()) return;
  const int series = set().seriesOf(line.run);
  QPolygonF upper;
  QPolygonF lower;
  QPolygonF middle;
  for (const RunLine::Point& point : line.points) {
    upper << frame.at(point.seconds, point.high);
    lower.prepend(frame.at(point.seconds, point.low));
    middle << frame.at(point.seconds, point.median);
  }
  QColor soft = theme().series(series);
  soft.setAlphaF(0.18F);
  painter.setPen(Qt::NoPen);
  painter.setBrush(soft);
  painter.drawPolygon(upper + lower);
  painter.setPen(seriesPen(series, isHovered(line.run) ? 3.5 : 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(middle);
  if (middle.size() > 1) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().series(series));
  painter.drawEllipse(middle.first(), 3.5, 3.5);
}

void LineView::paintNames(QPainter& painter, const PlotFrame& frame) const {
  if (width() < 260) return;
  struct End {
    double y;
    RunNumber run;
  };
  std::vector<End> ends;
  for (const RunLine& line : m_lines)
    if (!line.points.empty())
      ends.push_back({frame.at(0, line.points.back().median).y(), line.run});
  std::ranges::sort(ends, {}, &End::y);
  // From top to bottom, so that no name covers the one above it.
  double free = frame.area.top();
  const double most = frame.area.bottom() + kNameHeight;
  for (const End& end : ends) {
    const double y = std::max(end.y, free);
    if (y > most) return;
    free = y + kNameHeight;
    painter.setFont(uiFont(11, set().isBaseline(end.run) || isHovered(end.run)));
    painter.setPen(theme()[Tone::Text]);
    const QRectF box(frame.area.right() + 6, y - kNameHeight / 2, 80, kNameHeight);
    painter.drawText(
        box, Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(painter.font()).elidedText(nameOf(end.run), Qt::ElideRight, box.width()));
  }
}

std::optional<RunNumber> LineView::runAt(QPointF at) const {
  const PlotFrame frame = this->frame();
  std::optional<RunNumber> nearest;
  double least = kCursorReach;
  for (const RunLine& line : m_lines)
    for (const RunLine::Point& point : line.points) {
      const QPointF place = frame.at(point.seconds, point.median);
      const double step =
          frame.area.width() / std::max(1.0, 2.0 * static_cast<double>(line.points.size()));
      if (std::abs(place.x() - at.x()) > std::max(step, kCursorReach)) continue;
      const double distance = std::abs(place.y() - at.y());
      if (distance > least) continue;
      least = distance;
      nearest = line.run;
    }
  return nearest;
}

std::string LineView::csv() const {
  std::string text = "run,seconds,samples_per_second_least,median,most\n";
  for (const RunLine& line : m_lines)
    for (const RunLine::Point& point : line.points)
      text += fmt::format("{},{:.3f},{:.6g},{:.6g},{:.6g}\n", static_cast<std::int64_t>(line.run),
                          point.seconds, point.low, point.median, point.high);
  return text;
}

}  // namespace millrace
