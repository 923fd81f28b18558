// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/trace/trace_view.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include "widgets/trace/trace_metrics.h"

namespace millrace {

using namespace trace;  // NOLINT(google-build-using-namespace): the dimensions

TraceView::TraceView(QWidget* parent) : QAbstractScrollArea(parent) {
  setFrameShape(NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  verticalScrollBar()->setSingleStep(kLane);
  setAccessibleName("Trace");
}

void TraceView::showTrace(std::shared_ptr<const TraceFile> file, std::size_t repeat,
                          const TraceTitles& titles) {
  m_rows = TraceRows(*file, repeat, titles);
  m_file = std::move(file);
  m_followed.reset();
  m_followedSpans.clear();
  m_overview.clear();
  m_tops.clear();
  double top = 0;
  for (std::size_t i = 0; i < m_rows.threads().size(); ++i) {
    m_tops.push_back(top);
    top += threadHeight(i);
  }
  m_tops.push_back(top);
  setAccessibleDescription(QString("%1 threads").arg(m_rows.threads().size()));
  showAll();
  emit followedChanged();
}

double TraceView::threadHeight(std::size_t thread) const {
  const auto lanes = static_cast<double>(m_rows.threads()[thread].lanes.size());
  return lanes * kLane + kRowGap;
}

double TraceView::contentHeight() const {
  return (m_tops.empty() ? 0 : m_tops.back()) +
         static_cast<double>(m_rows.queues().size()) * kQueue;
}

QRectF TraceView::plot() const {
  const QRectF all(viewport()->rect());
  return {kNames, kTop, std::max(10.0, all.width() - kNames), std::max(10.0, all.height() - kTop)};
}

double TraceView::nsPerPixel() const { return (m_to - m_from) / plot().width(); }
double TraceView::xOf(double ns) const { return plot().left() + (ns - m_from) / nsPerPixel(); }
double TraceView::nsAt(double x) const { return m_from + (x - plot().left()) * nsPerPixel(); }

QRectF TraceView::laneRect(std::size_t thread, std::size_t lane) const {
  const double y = kTop + m_tops[thread] + static_cast<double>(lane) * kLane + kRowGap / 2 -
                   verticalScrollBar()->value();
  return {plot().left(), y, plot().width(), kLane - 1.0};
}

void TraceView::fitBars() {
  const double room = plot().height();
  verticalScrollBar()->setPageStep(static_cast<int>(room));
  verticalScrollBar()->setRange(0,
                                std::max(0, static_cast<int>(std::ceil(contentHeight() - room))));
}

void TraceView::showSpan(double from, double to) {
  const double length = std::max<double>(1, static_cast<double>(m_rows.lengthNs()));
  const double span = std::clamp(to - from, kLeastShownNs, std::max(length, kLeastShownNs));
  m_from = std::clamp(from, 0.0, std::max(0.0, length - span));
  m_to = m_from + span;
  fitBars();
  viewport()->update();
  emit spanChanged();
}

void TraceView::showAll() { showSpan(0, static_cast<double>(m_rows.lengthNs())); }

void TraceView::zoomBy(double factor, double x) {
  const double at = nsAt(x);
  showSpan(at - (at - m_from) / factor, at + (m_to - at) / factor);
}

void TraceView::panBy(double pixels) {
  const double ns = pixels * nsPerPixel();
  showSpan(m_from + ns, m_to + ns);
}

void TraceView::follow(std::optional<std::uint64_t> batch) {
  m_followed = batch;
  m_followedSpans = batch ? m_rows.spansOf(*batch) : std::vector<TraceRows::Place>();
  viewport()->update();
  emit followedChanged();
}

void TraceView::showFollowed() {
  if (m_followedSpans.empty()) return;
  auto from = static_cast<double>(m_rows.span(m_followedSpans.front()).beginNs);
  double to = from;
  for (const TraceRows::Place& place : m_followedSpans)
    to = std::max(to, static_cast<double>(m_rows.span(place).endNs));
  const double margin = (to - from) / 10;
  showSpan(std::max(0.0, from - margin),
           std::min(static_cast<double>(m_rows.lengthNs()), to + margin));
}

void TraceView::followNext(int step) {
  if (!m_followed) return follow(step > 0 ? 0 : m_rows.lastBatch());
  if (step < 0 && *m_followed == 0) return;
  if (step > 0 && *m_followed >= m_rows.lastBatch()) return;
  follow(step > 0 ? *m_followed + 1 : *m_followed - 1);
  showFollowed();
}

std::optional<TraceRows::Place> TraceView::placeAt(QPoint at) const {
  if (!plot().contains(at)) return std::nullopt;
  const auto ns = static_cast<std::uint64_t>(std::max(0.0, nsAt(at.x())));
  const auto reach = static_cast<std::uint64_t>(2 * nsPerPixel());
  for (std::size_t t = 0; t < m_rows.threads().size(); ++t)
    for (std::size_t l = 0; l < m_rows.threads()[t].lanes.size(); ++l) {
      if (!laneRect(t, l).contains(at)) continue;
      if (const auto span = m_rows.threads()[t].lanes[l].at(ns, reach))
        return TraceRows::Place{t, l, *span};
    }
  return std::nullopt;
}

QPointF TraceView::pointOf(const TraceRows::Place& place) const {
  const TraceFile::Span& span = m_rows.span(place);
  const double from = std::max(xOf(static_cast<double>(span.beginNs)), plot().left());
  const double to = std::min(xOf(static_cast<double>(span.endNs)), plot().right());
  return {(from + to) / 2, laneRect(place.thread, place.lane).center().y()};
}

void TraceView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  fitBars();
}

void TraceView::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  if (event->modifiers() & Qt::ControlModifier)
    zoomBy(std::pow(1.0015, turned.y()), event->position().x());
  else if (event->modifiers() & Qt::ShiftModifier)
    panBy(-turned.y());
  else if (turned.x() != 0)
    panBy(-turned.x());
  else
    QAbstractScrollArea::wheelEvent(event);
  event->accept();
}

void TraceView::moveOverview(double x) {
  const double at = (x - plot().left()) / plot().width() * static_cast<double>(m_rows.lengthNs());
  const double half = (m_to - m_from) / 2;
  showSpan(at - half, at + half);
}

void TraceView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  m_pressed = m_last = event->pos();
  m_moved = false;
  m_drag = event->pos().y() < kOverview ? Drag::Overview : Drag::Content;
  if (m_drag == Drag::Overview) moveOverview(event->pos().x());
}

void TraceView::mouseMoveEvent(QMouseEvent* event) {
  if (m_drag == Drag::None) {
    const auto place = placeAt(event->pos());
    emit hovered(place ? m_rows.wordsOf(*place) : QString());
    return;
  }
  if (m_drag == Drag::Overview) return moveOverview(event->pos().x());
  m_moved =
      m_moved || (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
  if (!m_moved) return;
  viewport()->setCursor(Qt::ClosedHandCursor);
  const QPoint by = event->pos() - m_last;
  m_last = event->pos();
  verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
  panBy(-by.x());
}

void TraceView::mouseReleaseEvent(QMouseEvent* event) {
  const bool isClick = m_drag == Drag::Content && !m_moved && event->button() == Qt::LeftButton;
  m_drag = Drag::None;
  viewport()->unsetCursor();
  if (!isClick) return;
  const auto place = placeAt(event->pos());
  if (!place) return follow(std::nullopt);
  const std::uint64_t batch = m_rows.span(*place).batch;
  follow(batch == TraceFile::kNoItem ? std::nullopt : std::optional(batch));
}

bool TraceView::moveByKey(int key) {
  const double middle = plot().center().x();
  const double tenth = plot().width() / 10;
  switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W: zoomBy(1.5, middle); return true;
    case Qt::Key_Minus:
    case Qt::Key_S: zoomBy(1 / 1.5, middle); return true;
    case Qt::Key_Left:
    case Qt::Key_A: panBy(-tenth); return true;
    case Qt::Key_Right:
    case Qt::Key_D: panBy(tenth); return true;
    case Qt::Key_F:
    case Qt::Key_0:
    case Qt::Key_Home: showAll(); return true;
    default: return false;
  }
}

void TraceView::keyPressEvent(QKeyEvent* event) {
  if (moveByKey(event->key())) return;
  switch (event->key()) {
    case Qt::Key_BracketRight:
    case Qt::Key_N: return followNext(1);
    case Qt::Key_BracketLeft:
    case Qt::Key_P: return followNext(-1);
    case Qt::Key_Return:
    case Qt::Key_Enter: return showFollowed();
    case Qt::Key_Escape:
      if (m_followed) return follow(std::nullopt);
      break;
    default: break;
  }
  QAbstractScrollArea::keyPressEvent(event);
}

bool TraceView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave) emit hovered({});
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto place = placeAt(help->pos());
  if (place)
    QToolTip::showText(help->globalPos(), "<p>" + m_rows.wordsOf(*place).toHtmlEscaped() + "</p>",
                       this);
  else
    QToolTip::hideText();
  return true;
}

void TraceView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  paintTo(painter, viewport()->size());
}

}  // namespace millrace
