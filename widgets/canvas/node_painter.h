// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QRectF>

#include "widgets/models/node_display.h"

class QPainter;

namespace millrace {

/// The momentary state of a node, apart from its content.
struct NodeStyle {
  bool selected = false;
  bool hovered = false;
  bool dimmed = false;  ///< a wire is being drawn that cannot end here
  bool inFits = false;  ///< the wire being drawn may end at the input
  bool outFits = false;
  bool inHovered = false;
  bool outHovered = false;

  bool operator==(const NodeStyle&) const = default;
};

// Paints nodes and their parts as docs/look.md describes them. `detail`: device pixels per scene
// pixel; at low detail the second line is left out, then all text. Colours come from the theme.

void paintNode(QPainter& painter, const NodeDisplay& display, const QRectF& body,
               const NodeStyle& style, double detail);
/// The head of a region: a workers node whose members are inside its frame.
void paintRegionHead(QPainter& painter, const NodeDisplay& display, const QRectF& head,
                     const QString& right, double detail);
void paintPort(QPainter& painter, QPointF at, Level level, const QColor& colour, bool ring);
/// The number of problems, painted at a corner: a circle for errors, a triangle for warnings.
/// The mark at this corner reaches so far to the left.
inline constexpr double kProblemMarkReach = 18;
void paintProblemMark(QPainter& painter, QPointF at, int errors, int warnings);
/// A small label on a wire: a queue's capacity, a stream.
void paintChip(QPainter& painter, QPointF middle, const QString& text, bool isQueue);

/// The pen or pens of a wire. Device wires are double.
void paintWire(QPainter& painter, const QPainterPath& path, Level level, Place place,
               const QColor& colour);
QColor wireColour(Place place);

}  // namespace millrace
