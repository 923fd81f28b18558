// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/layout/wire_route.h"

#include <algorithm>
#include <cmath>

#include "widgets/canvas/layout/canvas_metrics.h"

namespace millrace {

using namespace canvas;

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

WireRoute bentAt(QPointF begin, QPointF end, double x) {
  return {{begin, {x, begin.y()}, {x, end.y()}, end}, false};
}

WireRoute aroundAt(QPointF begin, QPointF end, double y) {
  const double right = begin.x() + kStub;
  const double left = end.x() - kStub;
  return {{begin, {right, begin.y()}, {right, y}, {left, y}, {left, end.y()}, end},
          end.x() < begin.x()};
}

WireRoute shortest(QPointF begin, QPointF end, const QRectF& from, const QRectF& to) {
  if (end.x() > begin.x() && std::abs(end.y() - begin.y()) < 1) return {{begin, end}, false};
  if (end.x() - begin.x() >= 2 * kStub) return bentAt(begin, end, (begin.x() + end.x()) / 2);
  WireRoute route = aroundAt(begin, end, channelHeight(from, to));
  route.isBack = true;
  return route;
}

double lengthOf(const std::vector<QPointF>& points) {
  double length = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    length += (points[i] - points[i - 1]).manhattanLength();
  return length;
}

/// Ways along the edges of the obstacles.
std::vector<WireRoute> detours(QPointF begin, QPointF end, const std::vector<QRectF>& obstacles) {
  std::vector<WireRoute> routes;
  const bool isForward = end.x() - begin.x() >= 2 * kStub;
  const auto bend = [&](double x) {
    if (x >= begin.x() + kStub && x <= end.x() - kStub) routes.push_back(bentAt(begin, end, x));
  };
  if (isForward) bend(begin.x() + kStub);
  if (isForward) bend(end.x() - kStub);
  for (const QRectF& box : obstacles) {
    if (isForward) bend(box.left() - kStub);
    if (isForward) bend(box.right() + kStub);
    routes.push_back(aroundAt(begin, end, box.top() - kStub));
    routes.push_back(aroundAt(begin, end, box.bottom() + kStub));
    routes.push_back(aroundAt(begin, end, box.bottom() + kStrip + kStub / 2));
  }
  return routes;
}

}  // namespace

int crossings(const std::vector<QPointF>& points, const std::vector<QRectF>& boxes) {
  int count = 0;
  for (const QRectF& box : boxes) {
    const bool crossed = [&] {
      for (std::size_t i = 1; i < points.size(); ++i) {
        const QPointF a = points[i - 1];
        const QPointF b = points[i];
        // Touching an edge, as at a port, is no crossing.
        if (std::max(a.x(), b.x()) > box.left() + 1 && std::min(a.x(), b.x()) < box.right() - 1 &&
            std::max(a.y(), b.y()) > box.top() + 1 && std::min(a.y(), b.y()) < box.bottom() - 1)
          return true;
      }
      return false;
    }();
    if (crossed) ++count;
  }
  return count;
}

WireRoute routeWire(QPointF begin, QPointF end, const QRectF& from, const QRectF& to,
                    const std::vector<QRectF>& obstacles) {
  WireRoute best = shortest(begin, end, from, to);
  int least = crossings(best.points, obstacles);
  if (least == 0) return best;
  double length = lengthOf(best.points);
  for (WireRoute& route : detours(begin, end, obstacles)) {
    const int crossed = crossings(route.points, obstacles);
    const double way = lengthOf(route.points);
    if (crossed > least || (crossed == least && way >= length)) continue;
    least = crossed;
    length = way;
    best = std::move(route);
  }
  return best;
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

}  // namespace millrace
