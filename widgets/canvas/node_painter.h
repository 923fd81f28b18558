// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainterPath>
#include <QRectF>

#include "widgets/models/node_face.h"

class QPainter;

namespace millrace {

/// How a node stands at the moment, beside what it is.
struct NodeLook {
  bool selected = false;
  bool hovered = false;
  bool dimmed = false;  ///< a wire is being drawn and cannot end here
  bool inFits = false;  ///< the wire being drawn may end at the input
  bool outFits = false;
  bool inHovered = false;
  bool outHovered = false;

  bool operator==(const NodeLook&) const = default;
};

// Nodes and what belongs to them as LOOK's `anatomy` draws them. `detail`: device pixels a scene
// pixel; little detail leaves out the second line, then all text. Colours are the theme's.

void paintNode(QPainter& painter, const NodeFace& face, const QRectF& body, const NodeLook& look,
               double detail);
/// The head of a region: a workers node whose members stand in its frame.
void paintRegionHead(QPainter& painter, const NodeFace& face, const QRectF& head,
                     const QString& right, double detail);
void paintPort(QPainter& painter, QPointF at, Level level, const QColor& colour, bool ring);
/// The count of problems at a corner: round for errors, three-sided for warnings.
void paintProblemMark(QPainter& painter, QPointF at, int errors, int warnings);
/// A small label on a wire: a queue's capacity, a stream.
void paintChip(QPainter& painter, QPointF middle, const QString& text, bool isQueue);

/// The pen or pens of a wire. Device wires are double.
void paintWire(QPainter& painter, const QPainterPath& path, Level level, Place place,
               const QColor& colour);
QColor wireColour(Place place);

}  // namespace millrace
