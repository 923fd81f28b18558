// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/node_place.h"

#include <cmath>

#include "widgets/models/json_values.h"

namespace millrace {

std::optional<QPointF> placeOf(const GraphNode& node) {
  if (node.ui.text.empty()) return std::nullopt;
  const QJsonObject ui = objectOf(node.ui);
  if (!ui["x"].isDouble() || !ui["y"].isDouble()) return std::nullopt;
  constexpr double kFar = 1e6;  // A file may hold any number, but the canvas is bounded.
  const QPointF place(ui["x"].toDouble(), ui["y"].toDouble());
  if (std::abs(place.x()) > kFar || std::abs(place.y()) > kFar) return std::nullopt;
  return place;
}

void setPlace(GraphNode& node, QPointF place) {
  QJsonObject ui = objectOf(node.ui);
  ui["x"] = static_cast<qint64>(std::llround(place.x()));
  ui["y"] = static_cast<qint64>(std::llround(place.y()));
  node.ui = rawOf(ui);
}

void forgetPlace(GraphNode& node) {
  if (node.ui.text.empty()) return;
  QJsonObject ui = objectOf(node.ui);
  ui.remove("x");
  ui.remove("y");
  node.ui = ui.isEmpty() ? RawJson{} : rawOf(ui);
}

Graph moved(Graph graph, const NodePlaces& places) {
  for (const auto& [id, place] : places)
    if (GraphNode* node = graph.node(id); node != nullptr && placeOf(*node) != place)
      setPlace(*node, place);
  return graph;
}

}  // namespace millrace
