// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>

#include <QPointF>

#include "core/graph/graph.h"

namespace millrace {

using NodePlaces = std::map<NodeId, QPointF>;

/// The place of a node's upper left corner, from its `ui`.
std::optional<QPointF> placeOf(const GraphNode& node);
/// Stores whole pixels; other keys of `ui` are unchanged.
void setPlace(GraphNode& node, QPointF place);
/// Removes the place: the canvas then finds one each time.
void forgetPlace(GraphNode& node);
/// The document with these nodes at new places; unknown ids are ignored.
Graph moved(Graph graph, const NodePlaces& places);

}  // namespace millrace
