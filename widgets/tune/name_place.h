// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QPolygonF>
#include <QRectF>

namespace millrace {

/// Obstacles for names in a plot, in pixels. Value.
struct NameRoom {
  QRectF area;  ///< names stay inside
  std::vector<QPointF> points;
  double radius = 0;          ///< distance that a name keeps from each point
  QPolygonF line;             ///< crossed only if there is no other place
  std::vector<QRectF> names;  ///< names already placed
};

enum class NameSide { Above, Below };

/// Places a name of this size near its point: inside the area, clear of points and names, off the
/// line, on the preferred side if both are free. If no place is free, the least bad one.
QRectF placeName(QPointF point, QSizeF size, NameSide side, const NameRoom& room);

}  // namespace millrace
