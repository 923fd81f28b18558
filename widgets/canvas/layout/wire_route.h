// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <QPainterPath>
#include <QRectF>

namespace millrace {

/// The corners of a wire, with right angles.
struct WireRoute {
  std::vector<QPointF> points;
  bool isBack = false;  ///< leads back a long way
};

/// A wire from an output at `begin` to an input at `end`, which leads around the obstacles if there
/// is a way. `from` and `to`: the boxes that have these ports.
WireRoute routeWire(QPointF begin, QPointF end, const QRectF& from, const QRectF& to,
                    const std::vector<QRectF>& obstacles);

/// How many of the boxes a wire through these corners crosses.
int crossings(const std::vector<QPointF>& points, const std::vector<QRectF>& boxes);

/// A path with right angles and round corners through these points.
QPainterPath channel(const std::vector<QPointF>& points);

}  // namespace millrace
