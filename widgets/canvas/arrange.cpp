// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <set>

#include "widgets/canvas/canvas_layout.h"
#include "widgets/canvas/canvas_metrics.h"

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
    for (const NodeId& id : loose) placeInRow(id);
    endRow();
    for (const GraphNode& node : m_graph.nodes)
      if (!m_places.contains(node.id)) placeChain(node.id);  // Cycles have no head.
    return std::move(m_places);
  }

 private:
  double widthOf(const NodeId& id) const {
    const auto width = m_widths.find(id);
    return width == m_widths.end() ? kNodeWidth : width->second;
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
    if (m_count == m_inRow) endRow();
    m_places[id] = {m_x, m_y};
    m_x += std::ceil((widthOf(id) + gapAfter(id)) / kGrid) * kGrid;
    ++m_count;
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
    m_y += kRegionHead + kRegionTop;
    for (const NodeId& id : members)
      if (!m_places.contains(id)) {
        if (m_count == m_inRow) {
          m_x = 0;
          m_y += kNodeHeight + m_style.belowInRegion;
          m_y = std::round(m_y / kGrid) * kGrid;
          m_count = 0;
        }
        m_places[id] = {m_x, m_y};
        m_x += std::ceil((widthOf(id) + m_style.between) / kGrid) * kGrid;
        ++m_count;
      }
    m_count = 0;
    m_x = 0;
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
  double m_x = 0;
  double m_y = 0;
  int m_count = 0;
};

}  // namespace

NodePlaces arranged(const Graph& graph, const Catalog& catalog, const NodeWidths& widths,
                    const RowStyle& style) {
  return Arranger(graph, catalog, widths, style).run();
}

}  // namespace millrace
