// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QPolygonF>
#include <QRectF>

namespace millrace {

/// What is in the way of names in a plot, in pixels. Value.
struct NameRoom {
  QRectF area;  ///< names stay inside
  std::vector<QPointF> points;
  double radius = 0;          ///< that a name keeps away from each point
  QPolygonF line;             ///< is crossed only where there is no other place
  std::vector<QRectF> names;  ///< that stand already
};

enum class NameSide { Above, Below };

/// Where a name of this size stands beside its point: inside, free of points and names, off the
/// line and near, on the side that is asked for where both are free. Where nothing is free, where
/// it disturbs least.
QRectF placeName(QPointF point, QSizeF size, NameSide side, const NameRoom& room);

}  // namespace millrace
