// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/editor/drawn_edit.h"

#include <algorithm>
#include <cmath>

#include "widgets/canvas/editor/edit_session.h"
#include "widgets/models/node_place.h"

namespace millrace {

namespace {

/// Puts a node where its successor is; that one and the nodes right of it in the row make room.
Graph withRoomFor(const EditSession& session, Graph edited, const NodeId& id) {
  const auto wire = std::ranges::find(edited.wires, id, &GraphWire::from);
  const auto& shown = session.geometry.layout().nodes;
  const auto next = wire == edited.wires.end() ? shown.end() : shown.find(wire->to);
  if (next == shown.end()) return edited;
  constexpr double kGap = 40;
  const QRectF at = next->second;
  NodePlaces places{{id, at.topLeft()}};
  for (const auto& [other, box] : shown)
    if (box.left() >= at.left() && std::abs(box.center().y() - at.center().y()) < at.height() / 2)
      places[other] = box.topLeft() + QPointF(at.width() + kGap, 0);
  return moved(std::move(edited), places);
}

}  // namespace

Graph drawn(const CanvasGeometry& geometry, Graph edited,
            const std::function<Graph(Graph)>& placed) {
  if (auto rows = geometry.keptInRows(edited)) return std::move(*rows);
  Graph roomy = geometry.settled(placed(edited));
  if (isTidy(geometry.layout()) && !isTidy(geometry.layoutOf(roomy)))
    return geometry.arrangedGraph(std::move(edited));
  return roomy;
}

Graph drawnEdit(const EditSession& session, Graph edited) {
  const Graph& before = session.document.graph();
  if (edited.wires == before.wires) return edited;
  return drawn(session.geometry, std::move(edited), [&](Graph graph) {
    std::vector<NodeId> added;
    for (const GraphNode& node : graph.nodes)
      if (before.node(node.id) == nullptr) added.push_back(node.id);
    for (const NodeId& id : added) graph = withRoomFor(session, std::move(graph), id);
    return graph;
  });
}

}  // namespace millrace
