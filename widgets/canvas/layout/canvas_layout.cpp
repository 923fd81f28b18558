// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/layout/canvas_layout.h"

#include <algorithm>
#include <cmath>

#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/canvas/layout/wire_route.h"

namespace millrace {

using namespace canvas;

QRectF RegionShape::head() const { return {frame.topLeft(), QSizeF(frame.width(), kRegionHead)}; }

QRectF ChoiceShape::bounds() const {
  QRectF all = tab;
  for (const QRectF& frame : frames) all |= frame;
  return all;
}

QRectF CanvasLayout::bounds() const {
  QRectF all;
  for (const auto& [id, body] : nodes) all |= body;
  for (const RegionShape& region : regions) all |= region.frame;
  return all;
}

const RegionShape* CanvasLayout::headed(const NodeId& id) const {
  for (const RegionShape& shape : regions)
    if (shape.region.head == id) return &shape;
  return nullptr;
}

const ChoiceShape* CanvasLayout::choosing(const NodeId& id) const {
  const auto found = std::ranges::find(choices, id, &ChoiceShape::id);
  return found == choices.end() ? nullptr : &*found;
}

std::vector<NodeId> CanvasLayout::framed(const NodeId& id) const {
  if (const RegionShape* region = headed(id)) return region->region.members;
  const ChoiceShape* choice = choosing(id);
  return choice == nullptr ? std::vector<NodeId>() : choice->members;
}

const RegionShape* CanvasLayout::around(const NodeId& id) const {
  for (const RegionShape& shape : regions)
    if (std::ranges::find(shape.region.members, id) != shape.region.members.end()) return &shape;
  return nullptr;
}

std::vector<QRectF> CanvasLayout::obstacles(const RegionShape* from, const RegionShape* to) const {
  std::vector<QRectF> boxes;
  for (const auto& [id, body] : nodes)
    if (choosing(id) == nullptr) boxes.push_back(body);
  for (const RegionShape& shape : regions)
    if (&shape != from && &shape != to) boxes.push_back(shape.frame);
  return boxes;
}

QPainterPath CanvasLayout::loosePath(QPointF begin, QPointF end) const {
  const auto boxAt = [this](QPointF port) {
    for (const auto& [id, body] : nodes)
      if (body.adjusted(-1, -1, 1, 1).contains(port)) return body;
    return QRectF(port, QSizeF());
  };
  const auto regionAt = [this](QPointF at) -> const RegionShape* {
    for (const RegionShape& shape : regions)
      if (shape.frame.contains(at)) return &shape;
    return nullptr;
  };
  return channel(
      routeWire(begin, end, boxAt(begin), boxAt(end), obstacles(regionAt(begin), regionAt(end)))
          .points);
}

QPointF CanvasLayout::inPort(const NodeId& id) const {
  if (const RegionShape* region = headed(id)) return region->in;
  const auto body = nodes.find(id);
  if (body == nodes.end()) return {};
  return {body->second.left(), body->second.center().y()};
}

QPointF CanvasLayout::outPort(const NodeId& id) const {
  if (const RegionShape* region = headed(id)) return region->in;
  const auto body = nodes.find(id);
  if (body == nodes.end()) return {};
  return {body->second.right(), body->second.center().y()};
}

QPointF snapped(QPointF place) {
  return {std::round(place.x() / kGrid) * kGrid, std::round(place.y() / kGrid) * kGrid};
}

namespace {

class Layouter {
 public:
  Layouter(const Graph& graph, const Catalog& catalog, const NodePlaces& places,
           const NodeWidths& widths)
      : m_graph(graph),
        m_catalog(catalog),
        m_places(places),
        m_widths(widths),
        m_regions(regionsOf(graph, catalog)) {}

  CanvasLayout run() {
    for (const GraphNode& node : m_graph.nodes) m_layout.nodes[node.id] = bodyOf(node.id);
    for (const Region& region : m_regions)
      if (!region.members.empty()) addRegion(region);
    for (const GraphNode& node : m_graph.nodes) addChoice(node);
    for (const GraphWire& wire : m_graph.wires)
      if (m_layout.nodes.contains(wire.from) && m_layout.nodes.contains(wire.to)) addWire(wire);
    return std::move(m_layout);
  }

 private:
  QRectF bodyOf(const NodeId& id) const {
    const auto place = m_places.find(id);
    const auto width = m_widths.find(id);
    return {place == m_places.end() ? QPointF() : place->second,
            QSizeF(width == m_widths.end() ? kNodeWidth : width->second, kNodeHeight)};
  }

  void addRegion(const Region& region) {
    QRectF inner;
    for (const NodeId& id : region.members) inner |= m_layout.nodes[id];
    RegionShape shape;
    shape.region = region;
    shape.frame = inner.adjusted(-kRegionPad, -kRegionHead - kRegionTop, kRegionPad, kRegionBottom);
    shape.in = {shape.frame.left(), m_layout.nodes[region.members.front()].center().y()};
    shape.out = {shape.frame.right(), m_layout.nodes[region.members.back()].center().y()};
    m_layout.nodes[region.head] = shape.head();
    m_layout.regions.push_back(std::move(shape));
  }

  void addChoice(const GraphNode& node) {
    const NodeSpec* spec = m_catalog.find(node.kind);
    if (spec == nullptr || spec->role != NodeRole::Choice) return;
    ChoiceShape shape{node.id, namedNodes(m_graph, node, *spec), {}, {}};
    if (shape.members.empty()) return;
    std::map<double, QRectF> rows;  // by their upper edges
    for (const NodeId& id : shape.members) {
      const QRectF& body = m_layout.nodes.at(id);
      rows[body.top()] |= body;
    }
    for (const auto& [top, row] : rows)
      shape.frames.push_back(
          row.adjusted(-kChoicePad, -kChoicePad, kChoicePad, kStrip + kChoicePad / 2));
    const QRectF& first = shape.frames.front();
    shape.tab = {first.left() + kChoicePad, first.top() - kChoiceTab / 2,
                 std::min(kNodeWidth, first.width() - 2 * kChoicePad), kChoiceTab};
    m_layout.nodes[node.id] = shape.tab;
    m_layout.choices.push_back(std::move(shape));
  }

  void addWire(const GraphWire& wire) {
    const RegionShape* left = m_layout.around(wire.from);
    const bool leaves = left != nullptr && left != m_layout.around(wire.to);
    const RegionShape* entered = m_layout.headed(wire.to);
    const QPointF begin = m_layout.outPort(wire.from);
    const QPointF end = m_layout.inPort(wire.to);
    WireRoute way =
        routeWire(leaves ? left->out : begin, end, leaves ? left->frame : m_layout.nodes[wire.from],
                  entered != nullptr ? entered->frame : m_layout.nodes[wire.to],
                  m_layout.obstacles(m_layout.headed(wire.from), m_layout.around(wire.to)));
    if (leaves && begin.y() == left->out.y())
      way.points.front() = begin;
    else if (leaves)
      way.points.insert(way.points.begin(), begin);
    WireShape shape;
    shape.key = {wire.from, wire.to};
    shape.isBack = way.isBack;
    for (std::size_t i = 1; i < way.points.size(); ++i) {
      const QPointF step = way.points[i] - way.points[i - 1];
      if (std::abs(step.y()) > 1 || std::abs(step.x()) <= shape.room) continue;
      // A wire inside a region has no room for a label.
      const QPointF from = i == 1 && leaves ? left->out : way.points[i - 1];
      if (std::abs(way.points[i].x() - from.x()) <= shape.room) continue;
      shape.room = std::abs(way.points[i].x() - from.x());
      shape.middle = (from + way.points[i]) / 2;
    }
    shape.path = channel(way.points);
    m_layout.wires.push_back(std::move(shape));
  }

  const Graph& m_graph;
  const Catalog& m_catalog;
  const NodePlaces& m_places;
  const NodeWidths& m_widths;
  std::vector<Region> m_regions;
  CanvasLayout m_layout;
};

}  // namespace

CanvasLayout layOut(const Graph& graph, const Catalog& catalog, const NodePlaces& places,
                    const NodeWidths& widths) {
  return Layouter(graph, catalog, places, widths).run();
}

NodePlaces pushedOut(const CanvasLayout& layout) {
  NodePlaces moved;
  for (const RegionShape& shape : layout.regions)
    for (const auto& [id, body] : layout.nodes) {
      const bool member = layout.around(id) != nullptr || layout.isFrame(id);
      if (member || !body.intersects(shape.frame)) continue;
      const double gap = 2 * kGrid;
      const double up = body.bottom() - shape.frame.top() + gap;
      const double down = shape.frame.bottom() - body.top() + gap;
      const double left = body.right() - shape.frame.left() + gap;
      const double right = shape.frame.right() - body.left() + gap;
      const double least = std::min({up, down, left, right});
      QPointF place = body.topLeft();
      if (least == up)
        place.ry() = std::floor((place.y() - up) / kGrid) * kGrid;
      else if (least == down)
        place.ry() = std::ceil((place.y() + down) / kGrid) * kGrid;
      else if (least == left)
        place.rx() = std::floor((place.x() - left) / kGrid) * kGrid;
      else
        place.rx() = std::ceil((place.x() + right) / kGrid) * kGrid;
      moved[id] = place;
    }
  return moved;
}

bool isTidy(const CanvasLayout& layout) {
  for (auto one = layout.nodes.begin(); one != layout.nodes.end(); ++one)
    for (auto other = std::next(one); other != layout.nodes.end(); ++other) {
      const bool isTab =
          layout.choosing(one->first) != nullptr || layout.choosing(other->first) != nullptr;
      if (!isTab && one->second.intersects(other->second)) return false;
    }
  return pushedOut(layout).empty();
}

namespace {

template <class Taken>
QPointF nextBelow(QPointF wanted, QSizeF size, const Taken& taken) {
  constexpr int kMostSteps = 400;
  QPointF place = snapped(wanted);
  for (int step = 0; step < kMostSteps && taken(QRectF(place, size)); ++step)
    place.ry() += 3 * kGrid;
  return place;
}

/// Whether the box covers a node or its live strip.
bool coversNode(const CanvasLayout& layout, const QRectF& box) {
  return std::ranges::any_of(layout.nodes, [&](const auto& node) {
    return node.second.adjusted(-kGrid, -kGrid, kGrid, kGrid + kStrip).intersects(box);
  });
}

}  // namespace

QPointF freePlace(const CanvasLayout& layout, QPointF wanted, QSizeF size) {
  return nextBelow(wanted, size, [&](const QRectF& box) {
    return coversNode(layout, box.adjusted(0, 0, 0, kStrip));
  });
}

QPointF freePlace(const CanvasLayout& layout, const std::vector<NodeId>& group) {
  CanvasLayout others = layout;
  QRectF all;
  for (const NodeId& id : group) {
    all |= layout.nodes.at(id);
    others.nodes.erase(id);
  }
  return nextBelow(all.topLeft(), all.size(), [&](const QRectF& box) {
    return std::ranges::any_of(group, [&](const NodeId& id) {
      const QRectF body = layout.nodes.at(id).translated(box.topLeft() - all.topLeft());
      return coversNode(others, body.adjusted(0, 0, 0, kStrip));
    });
  });
}

bool WireShape::crosses(const QRectF& box) const {
  for (const QPolygonF& line : path.toSubpathPolygons())
    for (qsizetype i = 1; i < line.size(); ++i) {
      const QRectF piece = QRectF(line[i - 1], line[i]).normalized().adjusted(-1, -1, 1, 1);
      if (piece.intersects(box)) return true;
    }
  return false;
}

QPointF freeNotePlace(const CanvasLayout& layout, QPointF wanted, QSizeF size) {
  return nextBelow(wanted, size, [&](const QRectF& box) {
    // The figures on a wire are wider than the wire.
    const QRectF aroundWires = box.adjusted(0, -2 * kGrid, 0, 2 * kGrid);
    return coversNode(layout, box) ||
           std::ranges::any_of(layout.wires,
                               [&](const WireShape& wire) { return wire.crosses(aroundWires); }) ||
           std::ranges::any_of(layout.regions, [&](const RegionShape& region) {
             return region.frame.adjusted(-kGrid, -kGrid, kGrid, kGrid).intersects(box);
           });
  });
}

}  // namespace millrace
