// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <set>

#include "widgets/canvas/layout/canvas_layout.h"
#include "widgets/canvas/layout/canvas_metrics.h"

namespace millrace {

using namespace canvas;

namespace {

class Arranger {
 public:
  Arranger(const Graph& graph, const Catalog& catalog, const NodeWidths& widths,
           const RowStyle& style)
      : m_graph(graph), m_catalog(catalog), m_widths(widths), m_style(style) {
    for (Region& region : regionsOf(graph, catalog))
      if (!region.members.empty()) m_regions[region.head] = std::move(region.members);
    for (const GraphWire& wire : graph.wires) {
      m_behind.emplace(wire.from, wire.to);
      m_led.insert(wire.to);
    }
    // Long pipelines are arranged as a block instead of a tower.
    const double side = std::sqrt(static_cast<double>(graph.nodes.size()));
    m_inRow =
        style.inRow > 0 ? style.inRow : std::max(kNodesInRow, static_cast<int>(std::ceil(side)));
  }

  NodePlaces run() {
    std::vector<NodeId> chains;
    std::vector<NodeId> loose;
    for (const GraphNode& node : m_graph.nodes)
      if (!m_led.contains(node.id))
        (m_behind.contains(node.id) ? chains : loose).push_back(node.id);
    for (const NodeId& head : chains) placeChain(head);
    for (const NodeId& id : loose)
      if (framedBy(id).empty()) placeInRow(id);
    endRow();
    for (const GraphNode& node : m_graph.nodes)
      if (!m_places.contains(node.id) && framedBy(node.id).empty())
        placeChain(node.id);  // Cycles have no head.
    for (const GraphNode& node : m_graph.nodes)
      if (const std::vector<NodeId> framed = framedBy(node.id); !framed.empty())
        m_places[node.id] = m_places[framed.front()];
    return m_places;
  }

  /// The box around all nodes and regions, once arranged.
  QRectF extent() const { return m_extent; }

 private:
  double widthOf(const NodeId& id) const {
    const auto width = m_widths.find(id);
    return width == m_widths.end() ? kNodeWidth : width->second;
  }

  /// The nodes around which a choice is drawn as a frame.
  std::vector<NodeId> framedBy(const NodeId& id) const {
    const GraphNode* node = m_graph.node(id);
    const NodeSpec* spec = m_catalog.find(node->kind);
    if (spec == nullptr || spec->role != NodeRole::Choice) return {};
    return namedNodes(m_graph, *node, *spec);
  }

  void placeChain(const NodeId& head) {
    NodeId id = head;
    while (!m_places.contains(id)) {
      const auto region = m_regions.find(id);
      if (region != m_regions.end()) {
        placeRegion(id, region->second);
        id = region->second.back();
      } else {
        placeInRow(id);
      }
      const auto next = m_behind.find(id);
      if (next == m_behind.end()) break;
      id = next->second;
    }
    endRow();
  }

  void placeInRow(const NodeId& id) {
    if (isRowFull(id)) endRow();
    put(id, {m_x, m_y});
    m_x += std::ceil((widthOf(id) + gapAfter(id)) / kGrid) * kGrid;
    ++m_count;
  }

  bool isRowFull(const NodeId& next) const {
    if (m_style.rowWidth > 0) return m_count > 0 && m_x + widthOf(next) > m_style.rowWidth;
    return m_count == m_inRow;
  }

  void put(const NodeId& id, QPointF place) {
    m_places[id] = place;
    m_extent |= QRectF(place, QSizeF(widthOf(id), kNodeHeight));
  }

  /// More room for a wire that carries a queue's chip.
  double gapAfter(const NodeId& id) const {
    const NodeSpec* spec = m_catalog.find(m_graph.node(id)->kind);
    const bool isQueue = spec != nullptr && spec->role == NodeRole::Prefetch;
    return m_style.between + (isQueue ? kQueueChip : 0);
  }

  void endRow() {
    if (m_count == 0) return;
    m_x = 0;
    m_y += std::round((kNodeHeight + m_style.below) / kGrid) * kGrid;
    m_count = 0;
  }

  void placeRegion(const NodeId& head, const std::vector<NodeId>& members) {
    endRow();
    m_places[head] = {-kRegionPad, m_y};
    const double top = m_y;
    double right = 0;
    m_y += kRegionHead + kRegionTop;
    for (const NodeId& id : members)
      if (!m_places.contains(id)) {
        if (isRowFull(id)) {
          m_x = 0;
          m_y += kNodeHeight + m_style.belowInRegion;
          m_y = std::round(m_y / kGrid) * kGrid;
          m_count = 0;
        }
        put(id, {m_x, m_y});
        right = std::max(right, m_x + widthOf(id));
        m_x += std::ceil((widthOf(id) + m_style.between) / kGrid) * kGrid;
        ++m_count;
      }
    m_count = 0;
    m_x = 0;
    m_extent |= QRectF(QPointF(-kRegionPad, top),
                       QPointF(right + kRegionPad, m_y + kNodeHeight + kRegionBottom));
    m_y += std::round((kNodeHeight + kRegionBottom + m_style.belowRegion) / kGrid) * kGrid;
  }

  const Graph& m_graph;
  const Catalog& m_catalog;
  const NodeWidths& m_widths;
  const RowStyle& m_style;
  std::map<NodeId, std::vector<NodeId>> m_regions;
  std::map<NodeId, NodeId> m_behind;
  std::set<NodeId> m_led;
  int m_inRow = kNodesInRow;
  NodePlaces m_places;
  QRectF m_extent;
  double m_x = 0;
  double m_y = 0;
  int m_count = 0;
};

}  // namespace

NodePlaces arranged(const Graph& graph, const Catalog& catalog, const NodeWidths& widths,
                    const RowStyle& style) {
  return Arranger(graph, catalog, widths, style).run();
}

namespace {

constexpr double kRowStep = 32;

/// Row widths from one node to all of them in one row.
std::vector<double> rowWidths(const NodeWidths& widths, const Graph& graph) {
  double widest = kNodeWidth;
  double all = 0;
  for (const GraphNode& node : graph.nodes) {
    const auto width = widths.find(node.id);
    widest = std::max(widest, width == widths.end() ? kNodeWidth : width->second);
    all += (width == widths.end() ? kNodeWidth : width->second) + kGapX + kQueueChip;
  }
  constexpr double kMost = 4000;
  std::vector<double> steps;
  for (double row = widest; row < std::min(all, kMost) + kRowStep; row += kRowStep)
    steps.push_back(row);
  return steps;
}

/// How well rows suit a view; the larger one is better, compared from the first member on.
struct RowScore {
  bool isReadable = false;
  double zoom = 0;
  double height = 0;  ///< negative: fewer rows are better
  double width = 0;   ///< negative: equally full rows are better
  auto operator<=>(const RowScore&) const = default;
};

RowScore scoreOf(const QSizeF& content, const QSizeF& room) {
  const double wide = std::min(1.0, room.width() / content.width());
  const double zoom = std::min(wide, room.height() / content.height());
  constexpr double kSteps = 50;  // Below a fiftieth, fewer rows count more than size.
  const auto rounded = [](double value) { return std::floor(value * kSteps) / kSteps; };
  if (zoom >= kReadable) return {true, rounded(zoom), -content.height(), -content.width()};
  // The view scrolls down through rows that fit into its width.
  const double shown = wide >= kReadable ? kReadable : wide;
  return {false, rounded(shown), -content.height(), -content.width()};
}

}  // namespace

RowStyle rowsFor(QSizeF room, const Graph& graph, const Catalog& catalog,
                 const NodeWidths& widths) {
  RowStyle best;
  std::optional<RowScore> most;
  for (const double rowWidth : rowWidths(widths, graph)) {
    RowStyle style;
    style.rowWidth = rowWidth;
    Arranger arranger(graph, catalog, widths, style);
    arranger.run();
    const QSizeF content = arranger.extent().adjusted(-kStub, -kStub, kStub, kStrip).size();
    const RowScore score = scoreOf(content, room);
    if (most && score <= *most) continue;
    most = score;
    best = style;
  }
  return best;
}

std::optional<QPointF> offsetFromRows(const NodePlaces& places, const Graph& graph,
                                      const Catalog& catalog, const NodeWidths& widths) {
  const auto offsetFrom = [&](const NodePlaces& rows) -> std::optional<QPointF> {
    std::optional<QPointF> offset;
    for (const auto& [id, row] : rows) {
      const auto place = places.find(id);
      if (place == places.end()) return std::nullopt;
      if (!offset) offset = place->second - row;
      if (place->second - row != *offset) return std::nullopt;
    }
    return offset;
  };
  if (const auto offset = offsetFrom(arranged(graph, catalog, widths))) return offset;
  for (const double rowWidth : rowWidths(widths, graph)) {
    RowStyle style;
    style.rowWidth = rowWidth;
    if (const auto offset = offsetFrom(arranged(graph, catalog, widths, style))) return offset;
  }
  return std::nullopt;
}

}  // namespace millrace
