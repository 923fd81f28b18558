// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_geometry.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/common/theme.h"
#include "widgets/models/document.h"
#include "widgets/models/node_display.h"

namespace millrace {

using namespace canvas;

namespace {

/// Places for the nodes that have none. `known` holds the places of the others, `all` those of a
/// complete arrangement. If no node has been placed by hand, all nodes make room for a new one;
/// otherwise the new one goes to a free spot.
NodePlaces assumedPlaces(const Graph& graph, const NodePlaces& known, const NodePlaces& all,
                         const NodeWidths& widths) {
  const auto isPut = [](const GraphNode& node) { return placeOf(node).has_value(); };
  if (std::ranges::none_of(graph.nodes, isPut)) return all;
  const auto sizeOf = [&](const NodeId& id) { return QSizeF(widths.at(id), kNodeHeight); };
  CanvasLayout taken;
  for (const auto& [id, place] : known) taken.nodes[id] = QRectF(place, sizeOf(id));
  NodePlaces assumed;
  for (const GraphNode& node : graph.nodes) {
    if (known.contains(node.id)) continue;
    const QPointF place = freePlace(taken, all.at(node.id), sizeOf(node.id));
    assumed[node.id] = place;
    taken.nodes[node.id] = QRectF(place, sizeOf(node.id));
  }
  return assumed;
}

}  // namespace

CanvasGeometry::CanvasGeometry(Document& document) : QObject(&document), m_document(document) {
  connect(&document, &Document::replaced, this, [this] { m_assumed.clear(); });
  connect(&document, &Document::changed, this, &CanvasGeometry::refresh);
  refresh();
}

double CanvasGeometry::widthOf(const GraphNode& node) const {
  const QString title = titleOf(node, m_document.catalog().find(node.kind));
  const double text = QFontMetricsF(uiFont(13, true)).horizontalAdvance(title);
  const double wanted = kTextLeft + text + kTextRight;
  return std::max(kNodeWidth, std::ceil(wanted / kGrid) * kGrid);
}

NodeWidths CanvasGeometry::widthsOf(const Graph& graph) const {
  NodeWidths widths;
  for (const GraphNode& node : graph.nodes) widths[node.id] = widthOf(node);
  return widths;
}

NodePlaces CanvasGeometry::placesOf(const Graph& graph) const {
  NodePlaces places;
  for (const GraphNode& node : graph.nodes) {
    const auto assumed = m_assumed.find(node.id);
    if (const auto own = placeOf(node))
      places[node.id] = *own;
    else if (assumed != m_assumed.end())
      places[node.id] = assumed->second;
  }
  return places;
}

CanvasLayout CanvasGeometry::layoutOf(const Graph& graph) const {
  return layOut(graph, m_document.catalog(), placesOf(graph), widthsOf(graph));
}

Graph CanvasGeometry::settled(Graph graph) const {
  // A node pushed out of one region may land on another; documents have few regions.
  for (int round = 0; round < 4; ++round) {
    const NodePlaces out = pushedOut(layoutOf(graph));
    if (out.empty()) break;
    graph = moved(std::move(graph), out);
  }
  return graph;
}

Graph CanvasGeometry::arrangedGraph(Graph graph, const RowStyle& style) const {
  const NodePlaces places = arranged(graph, m_document.catalog(), widthsOf(graph), style);
  return moved(std::move(graph), places);
}

void CanvasGeometry::show(const NodePlaces& elsewhere) {
  m_elsewhere = elsewhere;
  NodePlaces places = m_places;
  for (const auto& [id, place] : elsewhere) places[id] = place;
  m_layout = layOut(m_document.graph(), m_document.catalog(), places, widthsOf(m_document.graph()));
  emit changed();
}

void CanvasGeometry::refresh() {
  const Graph& graph = m_document.graph();
  NodePlaces known = placesOf(graph);
  if (known.size() < graph.nodes.size()) {
    const NodeWidths widths = widthsOf(graph);
    const NodePlaces all = arranged(graph, m_document.catalog(), widths);
    for (const auto& [id, place] : assumedPlaces(graph, known, all, widths)) m_assumed[id] = place;
    known = placesOf(graph);
  }
  m_places = std::move(known);
  m_elsewhere.clear();
  m_layout = layOut(graph, m_document.catalog(), m_places, widthsOf(graph));
  emit changed();
}

}  // namespace millrace
