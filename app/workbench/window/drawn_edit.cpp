// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workbench/window/drawn_edit.h"

#include <algorithm>
#include <cmath>

#include "widgets/canvas/edit_session.h"
#include "widgets/models/node_place.h"

namespace millrace {

namespace {

bool isArranged(const EditSession& session) {
  const Graph& graph = session.document.graph();
  const Graph arranged = session.geometry.arrangedGraph(graph);
  const auto& shown = session.geometry.layout().nodes;
  return std::ranges::all_of(arranged.nodes, [&](const GraphNode& node) {
    const auto box = shown.find(node.id);
    return box != shown.end() && placeOf(node) == box->second.topLeft();
  });
}

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

Graph drawnEdit(const EditSession& session, Graph edited) {
  const Graph& before = session.document.graph();
  if (edited.wires == before.wires) return edited;
  if (isArranged(session)) return session.geometry.arrangedGraph(std::move(edited));
  std::vector<NodeId> added;
  for (const GraphNode& node : edited.nodes)
    if (before.node(node.id) == nullptr) added.push_back(node.id);
  for (const NodeId& id : added) edited = withRoomFor(session, std::move(edited), id);
  return session.geometry.settled(std::move(edited));
}

}  // namespace millrace
