// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// What CanvasView shows: everything, a node, or what was inserted.
#include <algorithm>
#include <utility>

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/layout/canvas_metrics.h"

namespace millrace {

using namespace canvas;

namespace {

constexpr int kShownMargin = 48;  ///< around a node that is scrolled to

QRect inset(const QRect& rect, int by) { return rect.adjusted(by, by, -by, -by); }

}  // namespace

void CanvasView::fit() { show(Fitted::Readably); }
void CanvasView::showAll() { show(Fitted::Whole); }

void CanvasView::show(Fitted how) {
  const QRect view = viewport()->rect();
  if (m_session.document.graph().nodes.empty()) return setZoom(1, {0, 0});
  m_session.geometry.wrapToRoom();
  const QRect corner(QPoint(0, view.height() - m_corner.height()), m_corner);
  fitInto(inset(view, kFitMargin), how);
  if (liesOnNode(corner)) {
    // A smaller margin, to make up for the room that the corner takes.
    constexpr int kLess = 8;
    const QRect room = inset(view, kLess);
    const QRect above = room.adjusted(0, 0, 0, kLess - corner.height());
    const QRect beside = room.adjusted(corner.width() - kLess, 0, 0, 0);
    const bool isHigh = zoomToFit(above.size(), how) >= zoomToFit(beside.size(), how);
    fitInto(isHigh ? above : beside, how);
  }
  m_fitted = how;
  m_fitSize = viewport()->size();
  emit zoomChanged();
  emit fitted();
}

double CanvasView::zoomToFit(QSize room, Fitted how) const {
  const QRectF content = m_scene.contentRect();
  const double wide = room.width() / content.width();
  const double high = room.height() / content.height();
  return std::clamp(std::min(wide, high), how == Fitted::Whole ? kZoomMin : kReadable, 1.0);
}

void CanvasView::fitInto(const QRect& room, Fitted how) {
  const double zoom = zoomToFit(room.size(), how);
  setTransform(QTransform::fromScale(zoom, zoom));
  const QRectF content = m_scene.contentRect();
  const QSizeF seen = QSizeF(room.size()) / zoom;
  QPointF middle = content.center();
  // What does not fit begins at its beginning.
  if (content.width() > seen.width()) middle.setX(content.left() + seen.width() / 2);
  if (content.height() > seen.height()) middle.setY(content.top() + seen.height() / 2);
  const QPointF off = QRectF(room).center() - QRectF(viewport()->rect()).center();
  centerOn(middle - off / zoom);
  const auto& nodes = m_session.geometry.layout().nodes;
  const auto selected = nodes.find(m_session.selection.current());
  if (how != Fitted::Readably || selected == nodes.end()) return;
  if (!viewport()->rect().contains(mapFromScene(selected->second).boundingRect()))
    showNode(selected->first);
}

bool CanvasView::liesOnNode(const QRect& place) const {
  const QRectF covered = mapToScene(place).boundingRect();
  return std::ranges::any_of(m_session.geometry.layout().nodes, [&](const auto& node) {
    return node.second.adjusted(0, 0, 0, kStrip).intersects(covered);
  });
}

void CanvasView::showNode(const NodeId& id) {
  const auto body = m_session.geometry.layout().nodes.find(id);
  if (body != m_session.geometry.layout().nodes.end())
    ensureVisible(body->second, kShownMargin, kShownMargin);
}

/// Scrolls to what an edit has inserted, wherever it was made.
void CanvasView::showInserted() {
  const std::vector<NodeId> ids = m_session.document.graph().ids();
  const bool wasEmpty = m_known.empty();
  const std::vector<NodeId> known = std::exchange(m_known, ids);
  if (wasEmpty || ids == known) return;
  QRectF inserted;
  for (const NodeId& id : ids)
    if (std::ranges::find(known, id) == known.end())
      inserted |= m_session.geometry.layout().nodes.at(id);
  const QRectF seen = mapToScene(viewport()->rect()).boundingRect();
  if (inserted.isNull() || seen.contains(inserted)) return;
  if (m_fitted == Fitted::No)
    ensureVisible(inserted, kShownMargin, kShownMargin);
  else
    show(m_fitted);
  if (m_fitted == Fitted::Readably) ensureVisible(inserted, kFitMargin, kFitMargin);
}

void CanvasView::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  m_session.geometry.setRoom(inset(viewport()->rect(), kFitMargin).size());
  // A run's progress bar comes and goes: that must not change the zoom.
  constexpr int kLittle = 48;
  const QSize more = viewport()->size() - m_fitSize;
  const bool isLittle = more.width() == 0 && more.height() >= 0 && more.height() < kLittle;
  if (m_fitted != Fitted::No && !isLittle) show(m_fitted);
  emit resized();
}

}  // namespace millrace
