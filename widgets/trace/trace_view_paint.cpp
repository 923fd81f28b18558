// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// How TraceView draws.
#include <algorithm>
#include <cmath>

#include <QPainter>
#include <QScrollBar>

#include "widgets/common/contrast.h"
#include "widgets/common/strings.h"
#include "widgets/common/theme.h"
#include "widgets/trace/trace_metrics.h"
#include "widgets/trace/trace_view.h"

namespace millrace {

using namespace trace;  // NOLINT(google-build-using-namespace): the dimensions

namespace {

constexpr double kRoomForName = 34;
constexpr double kPixelsBetweenTicks = 110;

/// A step of 1, 2 or 5 times a power of ten.
double niceStep(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

/// A point in time, with as many decimals as neighbouring ticks need.
QString tickText(double ns, double step) {
  const bool inMs = step < 1e7;
  const double unit = inMs ? 1e6 : 1e9;
  const int decimals =
      std::clamp(static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-9)), 0, 6);
  return QString::number(ns / unit, 'f', decimals) + QChar(0x00A0) + (inMs ? "ms" : "s");
}

double mostIn(const TraceFile::Queue& queue) {
  double most = 1;
  for (const auto& change : queue.changes) most = std::max(most, change.batches);
  return most;
}

}  // namespace

void TraceView::paintTo(QPainter& painter, const QSize& size) const {
  painter.fillRect(QRect({0, 0}, size), theme()[Tone::Base]);
  painter.save();
  painter.setClipRect(QRectF(0, kTop, size.width(), size.height() - kTop));
  paintThreads(painter);
  paintQueues(painter);
  paintFollowed(painter);
  paintNames(painter);
  painter.restore();
  paintAxis(painter);
  paintOverview(painter);
}

/// How busy the threads were over the whole repeat, and which part of it is shown.
void TraceView::paintOverview(QPainter& painter) const {
  const QRectF area = plot();
  const auto length = static_cast<double>(m_rows.lengthNs());
  painter.fillRect(QRectF(0, 0, area.right(), kOverview), theme()[Tone::Panel]);
  if (length <= 0) return;
  const int columns = static_cast<int>(area.width());
  if (static_cast<int>(m_overview.size()) != columns) {
    m_overview.clear();
    for (int x = 0; x < columns; ++x)
      m_overview.push_back(
          m_rows.busyShare(static_cast<std::uint64_t>(length * x / columns),
                           static_cast<std::uint64_t>(length * (x + 1) / columns)));
  }
  for (int x = 0; x < columns; ++x) {
    const double high = m_overview[static_cast<std::size_t>(x)] * (kOverview - 8);
    painter.fillRect(QRectF(area.left() + x, kOverview - 2 - high, 1, high), theme()[Tone::Water]);
  }
  const QRectF window(area.left() + m_from / length * area.width(), 1,
                      std::max(3.0, (m_to - m_from) / length * area.width()), kOverview - 2);
  QColor veil = theme()[Tone::Panel];
  veil.setAlphaF(0.65F);
  painter.fillRect(QRectF(area.left(), 1, window.left() - area.left(), window.height()), veil);
  painter.fillRect(QRectF(window.right(), 1, area.right() - window.right(), window.height()), veil);
  painter.setPen(QPen(theme()[Tone::Accent], 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(window.adjusted(0.5, 0.5, -0.5, -0.5));
  painter.setFont(uiFont(11));
  painter.setPen(theme()[Tone::Text2]);
  painter.drawText(QRectF(12, 0, kNames - 16, kOverview), Qt::AlignVCenter, "Threads busy");
}

void TraceView::paintAxis(QPainter& painter) const {
  const QRectF area = plot();
  painter.fillRect(QRectF(0, kOverview, area.right(), kAxis), theme()[Tone::Alt]);
  painter.setFont(uiFont(11));
  const double step = niceStep(nsPerPixel() * kPixelsBetweenTicks);
  for (double ns = std::ceil(m_from / step) * step; ns <= m_to; ns += step) {
    const double x = xOf(ns);
    painter.setPen(theme()[Tone::Control]);
    painter.drawLine(QPointF(x, kTop - 5), QPointF(x, kTop));
    painter.setPen(theme()[Tone::Text2]);
    painter.drawText(QRectF(x + 4, kOverview, kPixelsBetweenTicks, kAxis), Qt::AlignVCenter,
                     tickText(ns, step));
  }
  painter.setPen(theme()[Tone::Border]);
  painter.drawLine(QPointF(0, kTop - 0.5), QPointF(area.right(), kTop - 0.5));
}

void TraceView::paintThreads(QPainter& painter) const {
  const double bottom = viewport()->height();
  for (std::size_t t = 0; t < m_rows.threads().size(); ++t) {
    const auto& lanes = m_rows.threads()[t].lanes;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      const QRectF row = laneRect(t, l);
      if (row.bottom() > kTop && row.top() < bottom) paintLane(painter, lanes[l], row);
    }
    painter.setPen(theme()[Tone::Grid]);
    const double y = laneRect(t, lanes.size()).top() - 1 + kRowGap / 2;
    painter.drawLine(QPointF(0, y), QPointF(plot().right(), y));
  }
}

void TraceView::paintLane(QPainter& painter, const TraceLane& lane, const QRectF& row) const {
  const QRectF area = plot();
  painter.setFont(uiFont(11));
  const QFontMetricsF metrics(painter.font());
  for (const TraceLane::Piece& piece : lane.pieces(
           static_cast<std::uint64_t>(m_from), static_cast<std::uint64_t>(m_to), nsPerPixel())) {
    const TraceFile::Span& span = lane.spans()[piece.span];
    const double left = std::max(area.left(), xOf(static_cast<double>(piece.beginNs)));
    const double right = std::min(area.right(), xOf(static_cast<double>(piece.endNs)));
    const QRectF box(left, row.top(), std::max(1.0, right - left), row.height());
    QColor colour = traceColour(m_rows.categoryOf(span));
    if (m_followed) colour.setAlphaF(0.25F);
    if (piece.several)
      colour.setAlphaF(
          static_cast<float>((0.3 + 0.7 * std::min(1.0, piece.covered)) * colour.alphaF()));
    painter.fillRect(box, colour);
    if (box.width() < kRoomForName || piece.several) continue;
    painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), theme()[Tone::Base]);
    const QColor text =
        m_followed ? theme()[Tone::Text2] : readableOn(colour).value_or(theme()[Tone::Text]);
    painter.setPen(text);
    painter.drawText(box.adjusted(4, 0, -3, 0), Qt::AlignVCenter,
                     metrics.elidedText(m_rows.nameOf(span), Qt::ElideRight, box.width() - 7));
  }
}

/// A queue's fill as steps; its greatest fill is the row's height.
void TraceView::paintQueues(QPainter& painter) const {
  const QRectF area = plot();
  double y = kTop + (m_tops.empty() ? 0 : m_tops.back()) - verticalScrollBar()->value();
  for (const TraceFile::Queue* queue : m_rows.queues()) {
    const QRectF row(area.left(), y + 4, area.width(), kQueue - 8);
    y += kQueue;
    const double most = mostIn(*queue);
    painter.setPen(theme()[Tone::Grid]);
    painter.drawLine(QPointF(0, row.bottom() + 4), QPointF(area.right(), row.bottom() + 4));
    auto change = std::ranges::upper_bound(queue->changes, static_cast<std::uint64_t>(m_from), {},
                                           &TraceFile::Queue::Change::ns);
    double fill = change == queue->changes.begin() ? 0 : std::prev(change)->batches;
    // Each pixel shows the greatest fill in it.
    for (int x = 0; x < static_cast<int>(area.width()); ++x) {
      const double until = m_from + (x + 1) * nsPerPixel();
      double here = fill;
      for (; change != queue->changes.end() && static_cast<double>(change->ns) < until; ++change) {
        fill = change->batches;
        here = std::max(here, fill);
      }
      const double high = here / most * row.height();
      painter.fillRect(QRectF(row.left() + x, row.bottom() - high, 1, high), theme()[Tone::Water]);
    }
  }
}

/// The followed batch's spans, joined in the order in which threads took it up.
void TraceView::paintFollowed(QPainter& painter) const {
  if (m_followedSpans.empty()) return;
  painter.save();
  painter.setClipRect(plot());
  std::optional<std::size_t> thread;
  std::optional<QPointF> end;
  for (const TraceRows::Place& place : m_followedSpans) {
    const TraceFile::Span& span = m_rows.span(place);
    const QRectF row = laneRect(place.thread, place.lane);
    const double left = xOf(static_cast<double>(span.beginNs));
    const QRectF box(left, row.top(), std::max(2.0, xOf(static_cast<double>(span.endNs)) - left),
                     row.height());
    painter.fillRect(box, traceColour(m_rows.categoryOf(span)));
    painter.setPen(QPen(theme()[Tone::Accent], 1));
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    // Samples of a batch are worked on by several threads at once; only whole batches move on.
    if (span.sample != TraceFile::kNoItem) continue;
    if (end && thread != place.thread) {
      painter.setPen(QPen(theme()[Tone::Accent], 2));
      painter.drawLine(*end, QPointF(box.left(), box.center().y()));
    }
    thread = place.thread;
    end = QPointF(box.right(), box.center().y());
  }
  painter.restore();
}

void TraceView::paintNames(QPainter& painter) const {
  painter.fillRect(QRectF(0, kTop, kNames - 1, viewport()->height()), theme()[Tone::Panel]);
  painter.setPen(theme()[Tone::Border]);
  painter.drawLine(QPointF(kNames - 0.5, kTop), QPointF(kNames - 0.5, viewport()->height()));
  painter.setFont(uiFont(12));
  const QFontMetricsF metrics(painter.font());
  const auto name = [&](const QString& text, double y, double height) {
    painter.setPen(theme()[Tone::Text]);
    painter.drawText(QRectF(12, y, kNames - 20, height), Qt::AlignVCenter,
                     metrics.elidedText(text, Qt::ElideMiddle, kNames - 20));
  };
  for (std::size_t t = 0; t < m_rows.threads().size(); ++t)
    name(m_rows.threads()[t].name, laneRect(t, 0).top(), kLane);
  double y = kTop + (m_tops.empty() ? 0 : m_tops.back()) - verticalScrollBar()->value();
  for (std::size_t q = 0; q < m_rows.queues().size(); ++q) {
    name(m_rows.queueName(q), y + 2, kQueue / 2);
    painter.setFont(uiFont(11));
    painter.setPen(theme()[Tone::Hint]);
    painter.drawText(QRectF(12, y + kQueue / 2, kNames - 20, kQueue / 2 - 4), Qt::AlignVCenter,
                     QString("0 to %1 batches").arg(mostIn(*m_rows.queues()[q])));
    painter.setFont(uiFont(12));
    y += kQueue;
  }
}

}  // namespace millrace
