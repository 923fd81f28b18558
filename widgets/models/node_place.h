// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>

#include <QPointF>

#include "core/graph/graph.h"

namespace millrace {

using NodePlaces = std::map<NodeId, QPointF>;

/// Where a node's upper left corner stands, as its `ui` says.
std::optional<QPointF> placeOf(const GraphNode& node);
/// Whole pixels; other keys of `ui` stay as they are.
void setPlace(GraphNode& node, QPointF place);
/// The document with these nodes elsewhere; ids that it lacks are passed over.
Graph moved(Graph graph, const NodePlaces& places);

}  // namespace millrace
