// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/common/focus_frame.h"
#include "widgets/common/search_popup.h"
#include "widgets/common/theme.h"
#include "widgets/models/notes.h"

namespace millrace {

using namespace canvas;

CanvasView::CanvasView(EditSession& session, CanvasScene& scene, QWidget* parent)
    : QGraphicsView(parent), m_session(session), m_scene(scene), m_search(new SearchPopup(this)) {
  setScene(&scene);
  setMouseTracking(true);
  viewport()->setMouseTracking(true);
  setAcceptDrops(true);
  setTransformationAnchor(NoAnchor);
  setResizeAnchor(NoAnchor);
  setViewportUpdateMode(FullViewportUpdate);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName("Canvas");
  setAccessibleDescription("The outline shows the same pipeline as a tree.");
  connect(m_search, &SearchPopup::closed, &scene, &CanvasScene::hideLooseWire);
  connect(&session.document, &Document::replaced, this, [this] { m_known.clear(); });
  connect(&session.geometry, &CanvasGeometry::changed, this, &CanvasView::showInserted);
}

CanvasView::~CanvasView() = default;

void CanvasView::setZoom(double zoom, QPointF anchor) {
  m_fitted = Fitted::No;
  zoom = std::clamp(zoom, kZoomMin, kZoomMax);
  const QTransform back = viewportTransform().inverted();
  const QPointF fixed = back.map(anchor);
  setTransform(QTransform::fromScale(zoom, zoom));
  const QPointF off = viewportTransform().map(fixed) - anchor;
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() +
                                  static_cast<int>(std::lround(off.x())));
  verticalScrollBar()->setValue(verticalScrollBar()->value() +
                                static_cast<int>(std::lround(off.y())));
  emit zoomChanged();
}

QPointF CanvasView::middle() const {
  return snapped(mapToScene(viewport()->rect().center()) - QPointF(kNodeWidth, kNodeHeight) / 2);
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
  m_pressed = event->pos();
  QToolTip::hideText();
  if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceDown)) {
    m_panning = true;
    m_spaceUsed = m_spaceDown;
    viewport()->setCursor(Qt::ClosedHandCursor);
    return;
  }
  if (m_gesture) endGesture();  // A second button cancels the first one's gesture.
  if (event->button() == Qt::LeftButton) pressLeft(event);
}

void CanvasView::pressLeft(QMouseEvent* event) {
  m_leftDown = true;
  m_wasSelected = false;
  const QPointF at = mapToScene(event->pos());
  if (m_scene.portAt(at, kPort / zoom())) return;
  const bool add = event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
  if (const auto node = m_scene.nodeAt(at)) {
    m_wasSelected = m_session.selection.contains(*node);
    if (add)
      m_session.selection.toggle(*node);
    else if (!m_wasSelected)
      m_session.selection.set({*node});
  } else if (const auto comment = m_scene.commentAt(at)) {
    m_session.selection.setComment(*comment);
  } else if (const auto wire = m_scene.wireAt(at, kWireReach / zoom())) {
    m_session.selection.setWire(*wire);
  } else if (const auto group = m_scene.groupAt(at)) {
    const Graph& graph = m_session.document.graph();
    m_session.selection.set(groupOf(graph.groups[*group], graph)->nodes);
  } else if (!add) {
    m_session.selection.clear();
  }
}

void CanvasView::startGesture(QPointF at) {
  const QPointF start = mapToScene(m_pressed);
  if (const auto port = m_scene.portAt(start, kPort / zoom())) {
    m_gesture = wireGesture(m_session, m_scene, *port,
                            [this](const PortHit& from, QPointF place) { searchFor(from, place); });
  } else if (const auto node = m_scene.nodeAt(start)) {
    m_gesture = moveGesture(m_session, m_scene, *node, start);
  } else if (const auto comment = m_scene.commentAt(start)) {
    m_gesture = commentGesture(m_session, m_scene, *comment, start);
  } else if (m_scene.groupAt(start) && !m_session.selection.nodes().empty()) {
    m_gesture = moveGesture(m_session, m_scene, m_session.selection.current(), start);
  } else {
    const bool keep = QApplication::keyboardModifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
    m_gesture = bandGesture(m_session, m_scene, start, keep);
  }
  m_gesture->move(at, zoom());
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
  if (m_panning) return pan(event->pos());
  const QPointF at = mapToScene(event->pos());
  if (m_gesture) return m_gesture->move(at, zoom());
  if (!m_leftDown) return hover(at);
  if ((event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance())
    startGesture(at);
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
  if (m_panning && event->button() != Qt::RightButton) {
    m_panning = false;
    viewport()->unsetCursor();
    return;
  }
  if (event->button() != Qt::LeftButton) return;
  m_leftDown = false;
  if (m_gesture) {
    const std::unique_ptr<Gesture> gesture = std::move(m_gesture);
    gesture->finish(mapToScene(event->pos()));
    return;
  }
  // A click on one of several selected nodes selects that one.
  const auto node = m_scene.nodeAt(mapToScene(event->pos()));
  if (node && m_wasSelected && event->modifiers() == Qt::NoModifier)
    m_session.selection.set({*node});
}

void CanvasView::endGesture() {
  if (!m_gesture) return;
  const std::unique_ptr<Gesture> gesture = std::move(m_gesture);
  gesture->cancel();
  m_leftDown = false;
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const QPointF at = mapToScene(event->pos());
  if (const auto node = m_scene.nodeAt(at); node && titlePlace(*node).contains(at))
    emit renameRequested(*node);
  else if (node)
    emit inspectRequested();
  else if (const auto comment = m_scene.commentAt(at))
    emit commentRequested(*comment);
  else if (const auto group = m_scene.groupAt(at))
    emit groupRequested(*group);
  else
    searchAt(at);
}

void CanvasView::hover(QPointF at) {
  CanvasScene::Marks marks;
  marks.hoveredPort = m_scene.portAt(at, kPort / zoom());
  if (!marks.hoveredPort) marks.hovered = m_scene.nodeAt(at);
  if (!marks.hoveredPort && !marks.hovered)
    marks.hoveredWire = m_scene.wireAt(at, kWireReach / zoom());
  m_scene.setMarks(marks);
}

void CanvasView::leaveEvent(QEvent* event) {
  if (!m_gesture) m_scene.setMarks({});
  QGraphicsView::leaveEvent(event);
}

void CanvasView::pan(QPoint to) {
  m_fitted = Fitted::No;
  const QPoint by = to - m_pressed;
  m_pressed = to;
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - by.x());
  verticalScrollBar()->setValue(verticalScrollBar()->value() - by.y());
}

void CanvasView::wheelEvent(QWheelEvent* event) {
  const QPoint turn = event->angleDelta();
  if (event->modifiers() & Qt::ControlModifier) {
    setZoom(zoom() * std::pow(1.15, turn.y() / 120.0), event->position());
  } else {
    m_fitted = Fitted::No;
    const bool sideways = event->modifiers() & Qt::ShiftModifier;
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() -
                                    (sideways ? turn.y() : turn.x()));
    if (!sideways) verticalScrollBar()->setValue(verticalScrollBar()->value() - turn.y());
  }
  event->accept();
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
  if (handleArrow(event)) return;
  switch (event->key()) {
    case Qt::Key_Space:
      if (!event->isAutoRepeat()) {
        m_spaceDown = true;
        m_spaceUsed = false;
      }
      return;
    case Qt::Key_Escape:
      if (m_gesture)
        endGesture();
      else
        m_session.selection.clear();
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter: emit inspectRequested(); return;
    default: QGraphicsView::keyPressEvent(event);
  }
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat())
    return QGraphicsView::keyReleaseEvent(event);
  const bool search = m_spaceDown && !m_spaceUsed;
  m_spaceDown = false;
  if (!search) return;
  const QPoint cursor = viewport()->mapFromGlobal(QCursor::pos());
  searchAt(viewport()->rect().contains(cursor) ? mapToScene(cursor) : middle());
}

void CanvasView::focusOutEvent(QFocusEvent* event) {
  m_spaceDown = false;
  m_session.document.endMerge();
  QGraphicsView::focusOutEvent(event);
}

bool CanvasView::handleArrow(QKeyEvent* event) {
  QPointF direction;
  switch (event->key()) {
    case Qt::Key_Left: direction = {-1, 0}; break;
    case Qt::Key_Right: direction = {1, 0}; break;
    case Qt::Key_Up: direction = {0, -1}; break;
    case Qt::Key_Down: direction = {0, 1}; break;
    default: return false;
  }
  if (event->modifiers() & Qt::ControlModifier) {
    const double step = event->modifiers() & Qt::ShiftModifier ? 3 * kGrid : kGrid;
    m_session.editor.nudge(direction * step);
  } else {
    walk(direction);
  }
  return true;
}

void CanvasView::walk(QPointF direction) {
  const auto& nodes = m_session.geometry.layout().nodes;
  if (nodes.empty()) return;
  const auto from = nodes.find(m_session.selection.current());
  if (from == nodes.end()) {
    const auto order = nodesInOrder(m_session.document.graph(), m_session.document.catalog());
    m_session.selection.set({order.front()});
    return showNode(order.front());
  }
  const QPointF begin = from->second.center();
  std::optional<NodeId> best;
  double least = 1e12;
  for (const auto& [id, body] : nodes) {
    const QPointF way = body.center() - begin;
    const double along = QPointF::dotProduct(way, direction);
    const double across = std::abs(way.x() * direction.y() - way.y() * direction.x());
    // Only nodes within a cone are considered: one that is further to the side than ahead lies in
    // another direction.
    if (id == from->first || along < 1 || across > along * 1.5 + kNodeHeight) continue;
    const double cost = along + 2 * across;
    if (cost >= least) continue;
    least = cost;
    best = id;
  }
  if (!best) return;
  m_session.selection.set({*best});
  showNode(*best);
}

bool CanvasView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QGraphicsView::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = m_scene.toolTipAt(mapToScene(help->pos()), kWireReach / zoom());
  if (text.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), text, viewport());
  return true;
}

void CanvasView::paintEvent(QPaintEvent* event) {
  QGraphicsView::paintEvent(event);
  paintFocusFrame(*this, *viewport());
}

}  // namespace millrace
