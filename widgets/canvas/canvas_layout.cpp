// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_layout.h"

#include <algorithm>
#include <cmath>

#include "widgets/canvas/canvas_metrics.h"

namespace millrace {

using namespace canvas;

QRectF RegionShape::head() const { return {frame.topLeft(), QSizeF(frame.width(), kRegionHead)}; }

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

const RegionShape* CanvasLayout::around(const NodeId& id) const {
  for (const RegionShape& shape : regions)
    if (std::ranges::find(shape.region.members, id) != shape.region.members.end()) return &shape;
  return nullptr;
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

QPainterPath channel(const std::vector<QPointF>& points) {
  QPainterPath path(points.front());
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const QPointF before = points[i - 1] - points[i];
    const QPointF after = points[i + 1] - points[i];
    const double lengthBefore = std::hypot(before.x(), before.y());
    const double lengthAfter = std::hypot(after.x(), after.y());
    const double radius = std::min({kWireRadius, lengthBefore / 2, lengthAfter / 2});
    if (radius < 0.5) {
      path.lineTo(points[i]);
      continue;
    }
    path.lineTo(points[i] + before / lengthBefore * radius);
    path.quadTo(points[i], points[i] + after / lengthAfter * radius);
  }
  path.lineTo(points.back());
  return path;
}

namespace {

/// The height at which a wire that leads back runs: between the two boxes if there is room.
double channelHeight(const QRectF& from, const QRectF& to) {
  constexpr double kRoom = 16;
  if (to.top() - from.bottom() >= kRoom) {
    const double below = from.bottom() + kStrip;  // The live strip stays uncovered if possible.
    return to.top() - below >= kRoom ? (below + to.top()) / 2 : (from.bottom() + to.top()) / 2;
  }
  if (from.top() - to.bottom() >= kRoom) return (to.bottom() + from.top()) / 2;
  return std::max(from.bottom(), to.bottom()) + kStrip + kStub;
}

struct Route {
  std::vector<QPointF> points;
  bool isBack = false;
};

Route route(QPointF begin, QPointF end, const QRectF& from, const QRectF& to) {
  if (end.x() > begin.x() && std::abs(end.y() - begin.y()) < 1) return {{begin, end}, false};
  if (end.x() - begin.x() >= 2 * kStub) {
    const double middle = (begin.x() + end.x()) / 2;
    return {{begin, {middle, begin.y()}, {middle, end.y()}, end}, false};
  }
  const double right = begin.x() + kStub;
  const double left = end.x() - kStub;
  const double y = channelHeight(from, to);
  return {{begin, {right, begin.y()}, {right, y}, {left, y}, {left, end.y()}, end}, true};
}

class Layouter {
 public:
  Layouter(const Graph& graph, const Catalog& catalog, const NodePlaces& places,
           const NodeWidths& widths)
      : m_graph(graph), m_places(places), m_widths(widths), m_regions(regionsOf(graph, catalog)) {}

  CanvasLayout run() {
    for (const GraphNode& node : m_graph.nodes) m_layout.nodes[node.id] = bodyOf(node.id);
    for (const Region& region : m_regions)
      if (!region.members.empty()) addRegion(region);
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

  void addWire(const GraphWire& wire) {
    const RegionShape* left = m_layout.around(wire.from);
    const bool leaves = left != nullptr && left != m_layout.around(wire.to);
    const RegionShape* entered = m_layout.headed(wire.to);
    const QPointF begin = m_layout.outPort(wire.from);
    const QPointF end = m_layout.inPort(wire.to);
    Route way =
        route(leaves ? left->out : begin, end, leaves ? left->frame : m_layout.nodes[wire.from],
              entered != nullptr ? entered->frame : m_layout.nodes[wire.to]);
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
      const bool member = layout.around(id) != nullptr || layout.headed(id) != nullptr;
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

QPointF freePlace(const CanvasLayout& layout, QPointF wanted, QSizeF size) {
  QPointF place = snapped(wanted);
  const auto taken = [&] {
    const QRectF body(place, size);
    return std::ranges::any_of(layout.nodes, [&](const auto& node) {
      return node.second.adjusted(-kGrid, -kGrid, kGrid, kGrid).intersects(body);
    });
  };
  for (int tries = 0; tries < 200 && taken(); ++tries) place.ry() += 3 * kGrid;
  return place;
}

}  // namespace millrace
