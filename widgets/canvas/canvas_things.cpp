// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
// The things on a CanvasView: what a context menu is for, and where a title is.
#include <QContextMenuEvent>

#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/editor/edit_session.h"
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/models/notes.h"

namespace millrace {

using namespace canvas;

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
  const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
  emit menuRequested(event->globalPos(),
                     byMouse ? thingAt(mapToScene(event->pos())) : selectedThing());
}

/// Selects what is there, so that the menu's actions cannot concern anything else.
CanvasThing CanvasView::thingAt(QPointF at) {
  using Kind = CanvasThing::Kind;
  Selection& selection = m_session.selection;
  if (const auto port = m_scene.portAt(at, kPort / zoom())) {
    selection.set({port->id});
    return {Kind::Port, at, *port, 0};
  }
  if (const auto node = m_scene.nodeAt(at)) {
    if (!selection.contains(*node)) selection.set({*node});
    return {Kind::Nodes, at, {}, 0};
  }
  if (const auto comment = m_scene.commentAt(at)) {
    selection.setComment(*comment);
    return {Kind::Comment, at, {}, *comment};
  }
  if (const auto wire = m_scene.wireAt(at, kWireReach / zoom())) {
    selection.setWire(*wire);
    return {Kind::Wire, at, {}, 0};
  }
  if (const auto group = m_scene.groupAt(at)) {
    const Graph& graph = m_session.document.graph();
    selection.set(groupOf(graph.groups[*group], graph)->nodes);
    return {Kind::Group, at, {}, *group};
  }
  selection.clear();
  return {Kind::Empty, at, {}, 0};
}

QRectF CanvasView::titlePlace(const NodeId& id) const {
  constexpr double kLine = 24;
  constexpr double kInHead = 110;  // the settings follow the title
  const CanvasLayout& layout = m_session.geometry.layout();
  const QRectF& box = layout.nodes.at(id);
  const bool isHead = layout.headed(id) != nullptr;
  return {box.left() + kTextLeft, box.top() + (isHead ? (kRegionHead - kLine) / 2 : kGrid),
          isHead ? kInHead : box.width() - kTextLeft - kTextRight, kLine};
}

CanvasThing CanvasView::selectedThing() const {
  using Kind = CanvasThing::Kind;
  const Selection& selection = m_session.selection;
  if (selection.wire()) return {Kind::Wire, middle(), {}, 0};
  if (selection.comment()) return {Kind::Comment, middle(), {}, *selection.comment()};
  return {selection.nodes().empty() ? Kind::Empty : Kind::Nodes, middle(), {}, 0};
}

}  // namespace millrace
