// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <vector>

#include <QPainterPath>
#include <QRectF>

#include "core/graph/graph.h"
#include "core/graph/region.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/models/edits.h"
#include "widgets/models/node_place.h"

namespace millrace {

using NodeWidths = std::map<NodeId, double>;

/// A region as drawn: a frame around its members, with the workers node as its head.
struct RegionShape {
  Region region;
  QRectF frame;
  QPointF in;   ///< the port on the border that stands for the head's input
  QPointF out;  ///< the port on the border behind the last member
  QRectF head() const;
};

struct WireShape {
  WireKey key;
  QPainterPath path;
  QPointF middle;       ///< of its longest level piece: where a chip or label stands
  double room = 0;      ///< length of that piece
  bool isBack = false;  ///< a long way back, which carries an arrow
};

/// Where everything stands: derived from the document, never stored. Value.
struct CanvasLayout {
  /// Bodies. The head of a region with members has the frame's head for a body.
  std::map<NodeId, QRectF> nodes;
  std::vector<RegionShape> regions;
  std::vector<WireShape> wires;

  QRectF bounds() const;
  QPointF inPort(const NodeId& id) const;
  QPointF outPort(const NodeId& id) const;
  /// The region that this node is the head of, and that has members.
  const RegionShape* headed(const NodeId& id) const;
  /// The region that this node is a member of.
  const RegionShape* around(const NodeId& id) const;
};

CanvasLayout layOut(const Graph& graph, const Catalog& catalog, const NodePlaces& places,
                    const NodeWidths& widths);

/// How rows of nodes are made, in scene pixels. As it is, with room for the live strip.
struct RowStyle {
  int inRow = 0;  ///< nodes; 0: four, or as many as make a block of a long pipeline
  double between = canvas::kGapX;
  double below = canvas::kStrip + canvas::kGapY;  ///< a row
  double belowInRegion = canvas::kStrip + 42;     ///< a row that wraps in one
  double belowRegion = canvas::kGapY + canvas::kGrid;

  /// For looking at in little room: nothing runs there.
  static RowStyle close(int inRow) { return {inRow, 24, 40, 40, 40}; }
};

/// Places for all nodes: chains in rows that break before a region and behind it; regions wrap;
/// what hangs loose stands below.
NodePlaces arranged(const Graph& graph, const Catalog& catalog, const NodeWidths& widths,
                    const RowStyle& style = {});

/// New places for nodes that lie on a region without running in it.
NodePlaces pushedOut(const CanvasLayout& layout);

/// A free place near `wanted` for a body of this size: the next one downwards.
QPointF freePlace(const CanvasLayout& layout, QPointF wanted, QSizeF size);

/// A square path with round corners through these points.
QPainterPath channel(const std::vector<QPointF>& points);

QPointF snapped(QPointF place);

}  // namespace millrace
