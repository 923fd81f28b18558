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
/// The ring around a node and its strip, with its label. In the colour of water if `keepsUp`: the
/// loader keeps up with the step, so nothing is wrong.
void paintLimitRing(QPainter& painter, const OverlayState& state, const QRectF& body, bool keepsUp,
                    double detail);
/// After the stop: the number of the run whose figures a node shows. `isMarked`: a problem mark is
/// at the same edge.
void paintRunTag(QPainter& painter, const OverlayState& state, const QRectF& body, bool isMarked,
                 double detail);
QRectF runTagBox(const OverlayState& state, const QRectF& body, bool isMarked);
/// The mark of a node that differs from what is running.
void paintEditedDot(QPainter& painter, const QRectF& body);
/// The largest area that ring and strip cover.
QRectF overlayBounds(const QRectF& body);
/// A queue's fill, as a chip on its wire: as much of the text as the wire's level piece has `room`
/// for, and when zoomed out a short form in large figures.
void paintQueueFill(QPainter& painter, QPointF middle, double room, const QueueOverlay& overlay,
                    const OverlayState& state, double detail);

}  // namespace millrace
