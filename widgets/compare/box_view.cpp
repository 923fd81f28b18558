// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/box_view.h"

#include <algorithm>

#include <QPainter>

#include <fmt/format.h>

#include "core/analysis/statistics.h"
#include "core/compare/comparison.h"
#include "widgets/common/theme.h"

namespace millrace {

namespace {

constexpr double kWidest = 46;

}  // namespace

std::optional<RunBox> boxOf(const ComparedRun& run) {
  RunBox box;
  box.run = run.summary.number;
  for (const ComparedRepeat& repeat : run.repeats)
    if (repeat.finished && repeat.rate) box.rates.push_back(*repeat.rate);
  if (box.rates.empty()) return std::nullopt;
  std::ranges::sort(box.rates);
  box.quarter = *percentile(box.rates, 0.25);
  box.median = *median(box.rates);
  box.threeQuarters = *percentile(box.rates, 0.75);
  return box;
}

BoxView::BoxView(CompareSet& set, QWidget* parent)
    : ChosenRunsView("Repeats", "None of these runs has a finished repeat.", set, parent) {}

void BoxView::read(const ComparedRun& run) {
  if (auto box = boxOf(run)) m_boxes.push_back(*std::move(box));
}

PlotFrame BoxView::frame() const {
  double low = 0;
  double high = 0;
  for (const RunBox& box : m_boxes) {
    if (high == 0) low = box.rates.front();
    low = std::min(low, box.rates.front());
    high = std::max(high, box.rates.back());
  }
  PlotFrame frame;
  frame.area = QRectF(rect()).adjusted(54, 36, -16, -28);
  const double room = std::max((high - low) * 0.08, high * 0.005);
  frame.y = roundAxis(std::max(0.0, low - room), high + room,
                      std::max(2, static_cast<int>(frame.area.height() / 36)));
  frame.x = {0, 1, {}};
  return frame;
}

double BoxView::middleOf(const PlotFrame& frame, std::size_t box) const {
  const double room = frame.area.width() / static_cast<double>(m_boxes.size());
  return frame.area.left() + (static_cast<double>(box) + 0.5) * room;
}

void BoxView::paintPlot(QPainter& painter) {
  const PlotFrame frame = this->frame();
  frame.paint(painter);
  frame.paintTitles(painter, "samples/s", {});
  frame.paintCaption(painter, frame.y.low > 0 ? "points: repeats · the axis does not start at 0"
                                              : "points: repeats");
  for (std::size_t i = 0; i < m_boxes.size(); ++i) paintBox(painter, frame, i);
}

void BoxView::paintBox(QPainter& painter, const PlotFrame& frame, std::size_t i) const {
  const RunBox& box = m_boxes[i];
  const int series = set().seriesOf(box.run);
  const double room = frame.area.width() / static_cast<double>(m_boxes.size());
  const double half = std::min(kWidest, room * 0.6) / 2;
  const double x = middleOf(frame, i);
  const auto y = [&](double rate) { return frame.at(0, rate).y(); };
  QColor soft = theme().series(series);
  const QColor colour = soft;
  soft.setAlphaF(isHovered(box.run) ? 0.35F : 0.18F);
  painter.setPen(QPen(colour, 1.5));
  painter.drawLine(QPointF(x, y(box.rates.front())), QPointF(x, y(box.quarter)));
  painter.drawLine(QPointF(x, y(box.threeQuarters)), QPointF(x, y(box.rates.back())));
  painter.setBrush(soft);
  painter.drawRect(
      QRectF(QPointF(x - half, y(box.threeQuarters)), QPointF(x + half, y(box.quarter))));
  painter.setPen(seriesPen(series, 3));
  painter.drawLine(QPointF(x - half, y(box.median)), QPointF(x + half, y(box.median)));
  painter.setPen(QPen(theme()[Tone::Base], 1));
  painter.setBrush(colour);
  for (std::size_t r = 0; r < box.rates.size(); ++r) {
    // Side by side, so that equal repeats remain visible.
    const double aside = (static_cast<double>(r % 3) - 1) * half * 0.4;
    painter.drawEllipse(QPointF(x + aside, y(box.rates[r])), 3, 3);
  }
  painter.setFont(uiFont(11, set().isBaseline(box.run)));
  painter.setPen(theme()[Tone::Text]);
  QString name = nameOf(box.run);
  if (QFontMetricsF(painter.font()).horizontalAdvance(name) > room) name = name.section(' ', 0, 0);
  painter.drawText(QRectF(x - room / 2, frame.area.bottom() + 4, room, 16), Qt::AlignCenter, name);
}

std::optional<RunNumber> BoxView::runAt(QPointF at) const {
  if (m_boxes.empty()) return std::nullopt;
  const PlotFrame frame = this->frame();
  if (!frame.area.adjusted(0, -8, 0, 24).contains(at)) return std::nullopt;
  const double room = frame.area.width() / static_cast<double>(m_boxes.size());
  const auto i = static_cast<std::size_t>((at.x() - frame.area.left()) / room);
  return i < m_boxes.size() ? std::optional(m_boxes[i].run) : std::nullopt;
}

std::string BoxView::csv() const {
  std::string text = "run,samples_per_second\n";
  for (const RunBox& box : m_boxes)
    for (const double rate : box.rates)
      text += fmt::format("{},{:.6g}\n", static_cast<std::int64_t>(box.run), rate);
  return text;
}

}  // namespace millrace
