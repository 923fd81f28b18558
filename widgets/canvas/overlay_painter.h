// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include "widgets/models/run_overlay.h"

class QPainter;

namespace millrace {

// What a run writes on the canvas (LOOK, "Node"). `detail` as in node_painter.h; colours are the
// theme's.

/// How the overlay of a run stands as a whole.
struct OverlayState {
  bool over = false;  ///< greyed, with `label`
  QString label;
  bool operator==(const OverlayState&) const = default;
};

/// The strip that hangs below a body.
QRectF stripOf(const QRectF& body);
void paintStrip(QPainter& painter, const NodeOverlay& overlay, const OverlayState& state,
                const QRectF& body, double detail);
/// The ring around a body and its strip, with its word.
void paintLimitRing(QPainter& painter, const OverlayState& state, const QRectF& body,
                    double detail);
/// The mark of a node that is no longer as it runs.
void paintEditedDot(QPainter& painter, const QRectF& body);
/// What ring and strip cover at most.
QRectF overlayBounds(const QRectF& body);
/// The chip of a queue on its wire: how full it is. Where the wire's level piece has no `room` for
/// its words, it keeps to the figure before the comma, then to the bar.
void paintQueueFill(QPainter& painter, QPointF middle, double room, const QueueOverlay& overlay,
                    const OverlayState& state);

}  // namespace millrace
