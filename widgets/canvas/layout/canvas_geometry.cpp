// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/layout/canvas_geometry.h"

#include <algorithm>
#include <cmath>

#include <QFontMetricsF>

#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/canvas/note_items.h"
#include "widgets/common/format.h"
#include "widgets/common/theme.h"
#include "widgets/models/document.h"
#include "widgets/models/node_display.h"
#include "widgets/models/notes.h"

namespace millrace {

using namespace canvas;

namespace {

bool hasPlace(const GraphNode& node) { return placeOf(node).has_value(); }

/// Places for the nodes that have none. `known` holds the places of the others, `all` those of a
/// complete arrangement. If no node has been placed by hand, all nodes make room for a new one;
/// otherwise the new one goes to a free spot.
NodePlaces assumedPlaces(const Graph& graph, const NodePlaces& known, const NodePlaces& all,
                         const NodeWidths& widths) {
  if (std::ranges::none_of(graph.nodes, hasPlace)) return all;
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
  connect(&document, &Document::replaced, this, [this] {
    m_assumed.clear();
    m_assumedBefore.clear();
  });
  connect(&document, &Document::changed, this, &CanvasGeometry::refresh);
  refresh();
}

/// Wide enough for the title and the first setting; further settings are shown if there is room.
double CanvasGeometry::widthOf(const GraphNode& node) const {
  const NodeSpec* spec = m_document.catalog().find(node.kind);
  const QString title = titleOf(node, spec);
  double text = QFontMetricsF(uiFont(13, true)).horizontalAdvance(title);
  if (spec != nullptr) {
    const QString first = settingsLine(node, *spec).section(kDot, 0, 0);
    const double needed = QFontMetricsF(uiFont(12)).horizontalAdvance(first);
    text = std::max(text, std::min(needed, kWidestSetting));
  }
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
  // Nodes without a place are arranged together with all others; until then their region has no
  // frame.
  if (placesOf(graph).size() < graph.nodes.size()) return graph;
  // A node pushed out of one region may land on another; documents have few regions.
  NodePlaces pushed;
  for (int round = 0; round < 4; ++round) {
    const NodePlaces out = pushedOut(layoutOf(graph));
    if (out.empty()) break;
    graph = moved(std::move(graph), out);
    for (const auto& [id, place] : out) pushed[id] = place;
  }
  // What was drawn as a frame has been placed anywhere; alone it would cover the nodes there.
  const CanvasLayout after = layoutOf(graph);
  for (const GraphNode& node : graph.nodes)
    if (m_layout.isFrame(node.id) && !after.isFrame(node.id)) pushed.try_emplace(node.id);
  for (auto& [id, place] : pushed) {
    CanvasLayout others = layoutOf(graph);
    const QRectF body = others.nodes.at(id);
    others.nodes.erase(id);
    place = freePlace(others, body.topLeft(), body.size());
    graph = moved(std::move(graph), {{id, place}});
  }
  return graph;
}

NodePlaces CanvasGeometry::rowsOf(const Graph& graph, const NodeWidths& widths) const {
  const RowStyle style =
      m_room.isEmpty() ? RowStyle() : rowsFor(m_room, graph, m_document.catalog(), widths);
  return arranged(graph, m_document.catalog(), widths, style);
}

Graph CanvasGeometry::arrangedGraph(Graph graph) const {
  const NodePlaces places = rowsOf(graph, widthsOf(graph));
  return withCommentsFree(moved(std::move(graph), places));
}

Graph CanvasGeometry::arrangedGraph(Graph graph, const RowStyle& style) const {
  const NodePlaces places = arranged(graph, m_document.catalog(), widthsOf(graph), style);
  return moved(std::move(graph), places);
}

std::optional<Graph> CanvasGeometry::keptInRows(Graph edited) const {
  const Graph& before = m_document.graph();
  if (before.nodes.empty()) return std::nullopt;
  if (std::ranges::none_of(before.nodes, hasPlace)) {
    for (GraphNode& node : edited.nodes) forgetPlace(node);
    return edited;
  }
  const auto offset = offsetFromRows(m_places, before, m_document.catalog(), widthsOf(before));
  if (!offset) return std::nullopt;
  NodePlaces places = rowsOf(edited, widthsOf(edited));
  for (auto& [id, place] : places) place += *offset;
  return withCommentsFree(moved(std::move(edited), places));
}

/// Moves comments that lie on nodes or regions to the next free place below.
Graph CanvasGeometry::withCommentsFree(Graph graph) const {
  const CanvasLayout layout = layoutOf(graph);
  for (std::size_t i = 0; i < graph.comments.size(); ++i) {
    const auto comment = commentOf(graph.comments[i]);
    if (!comment) continue;
    const QPointF place = freeNotePlace(layout, comment->place, commentSize(comment->text));
    if (place != comment->place) graph = setComment(std::move(graph), i, {comment->text, place});
  }
  return graph;
}

void CanvasGeometry::wrapToRoom() {
  if (m_room == m_wrapped) return;
  m_wrapped = m_room;
  const Graph& graph = m_document.graph();
  if (graph.nodes.empty() || std::ranges::any_of(graph.nodes, hasPlace)) return;
  m_assumed.clear();
  m_assumedBefore.clear();
  refresh();
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
  const bool isUnplaced = std::ranges::none_of(graph.nodes, hasPlace);
  if (const auto before = m_assumedBefore.find(graph.ids());
      isUnplaced && before != m_assumedBefore.end())
    m_assumed = before->second;
  NodePlaces known = placesOf(graph);
  const NodeWidths widths = widthsOf(graph);
  if (known.size() < graph.nodes.size()) {
    const NodePlaces all = rowsOf(graph, widths);
    for (const auto& [id, place] : assumedPlaces(graph, known, all, widths)) m_assumed[id] = place;
    known = placesOf(graph);
    if (isUnplaced) m_assumedBefore[graph.ids()] = known;
  }
  m_places = std::move(known);
  m_elsewhere.clear();
  m_layout = layOut(graph, m_document.catalog(), m_places, widths);
  emit changed();
}

}  // namespace millrace
