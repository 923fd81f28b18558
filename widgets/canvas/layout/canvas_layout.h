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
#include "widgets/canvas/layout/canvas_metrics.h"
#include "widgets/models/edits.h"
#include "widgets/models/node_place.h"

namespace millrace {

using NodeWidths = std::map<NodeId, double>;

/// A region as drawn: a frame around its members, with the workers node as its head.
struct RegionShape {
  Region region;
  QRectF frame;
  QPointF in;   ///< the port on the border, used as the head's input
  QPointF out;  ///< the port on the border, used as the last member's output
  QRectF head() const;
};

/// A choice as drawn: a frame around its nodes in each row, with a tab on the first.
struct ChoiceShape {
  NodeId id;
  std::vector<NodeId> members;  ///< not empty
  std::vector<QRectF> frames;   ///< from top to bottom
  QRectF tab;
  QRectF bounds() const;
};

struct WireShape {
  WireKey key;
  QPainterPath path;
  QPointF middle;       ///< of its longest level piece, which holds a chip or label
  double room = 0;      ///< length of that piece
  bool isBack = false;  ///< leads back a long way, and therefore has an arrow
  bool crosses(const QRectF& box) const;
};

/// The places of everything on the canvas: derived from the document, never stored. Value.
struct CanvasLayout {
  /// Boxes of the nodes. For the head of a region with members this is the head of the frame, for a
  /// choice with nodes the tab of its frame.
  std::map<NodeId, QRectF> nodes;
  std::vector<RegionShape> regions;
  std::vector<ChoiceShape> choices;
  std::vector<WireShape> wires;

  QRectF bounds() const;
  QPointF inPort(const NodeId& id) const;
  QPointF outPort(const NodeId& id) const;
  /// The region whose head this node is, if the region has members; else nullptr.
  const RegionShape* headed(const NodeId& id) const;
  /// The same for a choice.
  const ChoiceShape* choosing(const NodeId& id) const;
  /// Whether the node is drawn as a frame around other nodes and has no body.
  bool isFrame(const NodeId& id) const { return !framed(id).empty(); }
  /// The nodes in the node's frame.
  std::vector<NodeId> framed(const NodeId& id) const;
  /// The region that this node is a member of; else nullptr.
  const RegionShape* around(const NodeId& id) const;
  /// What a wire leads around: all bodies, and the regions other than these two.
  std::vector<QRectF> obstacles(const RegionShape* from, const RegionShape* to) const;
  /// A wire that is being drawn, from an output to an input; either may be the cursor.
  QPainterPath loosePath(QPointF begin, QPointF end) const;
};

CanvasLayout layOut(const Graph& graph, const Catalog& catalog, const NodePlaces& places,
                    const NodeWidths& widths);

/// How nodes are arranged in rows, in scene pixels. The defaults leave room for the live strip.
struct RowStyle {
  int inRow = 0;  ///< nodes; 0: four, or as many as make a block of a long pipeline
  double between = canvas::kGapX;
  double below = canvas::kStrip + canvas::kGapY;  ///< a row
  double belowInRegion = canvas::kStrip + 26;     ///< a row that wraps in one
  double belowRegion = canvas::kGapY + canvas::kGrid;
  double rowWidth = 0;  ///< rows wrap at this width instead of after `inRow` nodes; 0: do not

  /// For small read-only views, in which nothing runs.
  static RowStyle close(int inRow) { return {inRow, 24, 40, 40, 40, 0}; }
};

/// Places for all nodes: chains in rows that break before and after a region; regions wrap;
/// unconnected nodes are placed below.
NodePlaces arranged(const Graph& graph, const Catalog& catalog, const NodeWidths& widths,
                    const RowStyle& style = {});

/// The rows with which a view of this size shows the nodes largest. If it cannot show all of them
/// readably, they fit into its width and can be scrolled down.
RowStyle rowsFor(QSizeF room, const Graph& graph, const Catalog& catalog, const NodeWidths& widths);

/// How far the nodes are from places in rows of any width, which `arranged` would give them:
/// nullopt if they are in no such rows.
std::optional<QPointF> offsetFromRows(const NodePlaces& places, const Graph& graph,
                                      const Catalog& catalog, const NodeWidths& widths);

/// New places for nodes that overlap a region without being its members.
NodePlaces pushedOut(const CanvasLayout& layout);

/// Whether no node covers another one or a region that it does not belong to.
bool isTidy(const CanvasLayout& layout);

/// A free place near `wanted` for a node of this size: the next one below at which neither it nor
/// its live strip covers another node or strip.
QPointF freePlace(const CanvasLayout& layout, QPointF wanted, QSizeF size);
/// The same for the upper left corner of several nodes of the layout that stay together.
QPointF freePlace(const CanvasLayout& layout, const std::vector<NodeId>& group);

/// The same for a note, which has no strip but must not cover regions either.
QPointF freeNotePlace(const CanvasLayout& layout, QPointF wanted, QSizeF size);

QPointF snapped(QPointF place);

}  // namespace millrace
