// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include "widgets/models/live/run_overlay.h"

class QPainter;

namespace millrace {

// Paints a run's figures on the canvas (docs/look.md, "Nodes and wires"). For `detail` see
// node_painter.h; colours come from the theme.

/// The state of a run's overlay as a whole.
struct OverlayState {
  bool over = false;  ///< greyed, with `label`
  QString label;
  bool operator==(const OverlayState&) const = default;
};

/// The strip that hangs below a node.
QRectF stripOf(const QRectF& body);
void paintStrip(QPainter& painter, const NodeOverlay& overlay, const OverlayState& state,
                const QRectF& body, double detail);
/// The ring around a node and its strip, with its label.
void paintLimitRing(QPainter& painter, const OverlayState& state, const QRectF& body,
                    double detail);
/// The mark of a node that differs from what is running.
void paintEditedDot(QPainter& painter, const QRectF& body);
/// The largest area that ring and strip cover.
QRectF overlayBounds(const QRectF& body);
/// A queue's fill, as a chip on its wire. If the wire's level piece has too little `room` for the
/// text, only the part before the comma is shown, or only the bar.
void paintQueueFill(QPainter& painter, QPointF middle, double room, const QueueOverlay& overlay,
                    const OverlayState& state);

}  // namespace millrace
