// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tune/name_place.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <QLineF>

namespace millrace {

namespace {

/// Distances in pixels between a point's centre and its name, nearest first.
constexpr std::array kGaps = {10.0, 19.0, 28.0};

double distanceTo(const QRectF& box, QPointF point) {
  const double across = std::max({box.left() - point.x(), 0.0, point.x() - box.right()});
  const double along = std::max({box.top() - point.y(), 0.0, point.y() - box.bottom()});
  return std::hypot(across, along);
}

/// A line that passes through a box crosses one of its diagonals or ends inside.
bool crosses(const QRectF& box, const QPolygonF& line) {
  const std::array diagonals = {QLineF(box.topLeft(), box.bottomRight()),
                                QLineF(box.bottomLeft(), box.topRight())};
  for (qsizetype i = 0; i + 1 < line.size(); ++i) {
    const QLineF part(line[i], line[i + 1]);
    if (box.contains(part.p1()) || box.contains(part.p2())) return true;
    for (const QLineF& diagonal : diagonals)
      if (part.intersects(diagonal, nullptr) == QLineF::BoundedIntersection) return true;
  }
  return false;
}

/// The cost of a place. Lying outside is worse than hiding something, which is worse than crossing
/// the line.
double disturbance(const QRectF& box, const NameRoom& room) {
  double sum = room.area.contains(box) ? 0 : 10000;
  for (const QPointF& point : room.points)
    if (distanceTo(box, point) < room.radius) sum += 100;
  for (const QRectF& name : room.names)
    if (name.intersects(box)) sum += 100;
  return crosses(box, room.line) ? sum + 50 : sum;
}

}  // namespace

QRectF placeName(QPointF point, QSizeF size, NameSide side, const NameRoom& room) {
  // Centres of the box around the point, in order of preference.
  const double first = side == NameSide::Above ? -1 : 1;
  const std::array<QPointF, 8> directions = {{{0, first},
                                              {0, -first},
                                              {1, 0},
                                              {-1, 0},
                                              {1, first},
                                              {-1, first},
                                              {1, -first},
                                              {-1, -first}}};
  QRectF best;
  double least = std::numeric_limits<double>::infinity();
  for (const double gap : kGaps)
    for (const QPointF& direction : directions) {
      QRectF box(QPointF(), size);
      box.moveCenter(point + QPointF(direction.x() * (gap + size.width() / 2),
                                     direction.y() * (gap + size.height() / 2)));
      const double wrong = disturbance(box, room);
      if (wrong >= least) continue;
      least = wrong;
      best = box;
    }
  return best;
}

}  // namespace millrace
