// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QString>

#include "core/graph/graph_diff.h"

class QPainter;

namespace millrace {

struct NodeSpec;

// What became of a node between two pipelines, for its tooltip and around its body. GUI thread.

/// All of it in rich text, a line each. `spec`: nullptr for an unknown kind.
QString fateLines(const NodeDiff& node, const NodeSpec* spec);

/// A frame around `body`, in scene pixels, a sign and the values that changed. Sign and values are
/// drawn as large as they can be read, whatever the view's `zoom`. For a node that is not the same.
void paintDiffMark(QPainter& painter, const NodeDiff& node, const QRectF& body, double zoom);

}  // namespace millrace
