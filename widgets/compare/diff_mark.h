// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>

#include "core/graph/diff/graph_diff.h"

class QPainter;

namespace millrace {

struct NodeSpec;

// A node's difference between two pipelines, for its tooltip and as a mark on the node. GUI thread.

/// The full difference in rich text, one change in each line. `spec`: nullptr for an unknown kind.
QString fateLines(const NodeDiff& node, const NodeSpec* spec);

/// What a mark surrounds.
enum class DiffBody { Node, RegionHead };

/// A frame around `body` (scene pixels), a sign, and the changed values. Sign and values stay
/// readable at any `zoom` of the view. Only for a node that differs.
void paintDiffMark(QPainter& painter, const NodeDiff& node, const QRectF& body, DiffBody what,
                   double zoom);
/// Where the changed values are, in scene pixels; empty if there are none.
QRectF diffChip(const NodeDiff& node, const QRectF& body, DiffBody what, double zoom);

}  // namespace millrace
