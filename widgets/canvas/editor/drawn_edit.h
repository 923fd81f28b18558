// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "core/graph/graph.h"

namespace millrace {

class CanvasGeometry;
struct EditSession;

/// `edited`, a next state of the document, with places for what it adds: a drawing in rows stays in
/// rows; otherwise `placed` makes room. If something is then covered, everything is arranged.
Graph drawn(const CanvasGeometry& geometry, Graph edited,
            const std::function<Graph(Graph)>& placed);

/// The same for an edit that was not made on the canvas, such as an applied advice: an inserted
/// node takes the place of its successor, and the nodes right of that make room. Nodes keep their
/// places if only settings differ.
Graph drawnEdit(const EditSession& session, Graph edited);

}  // namespace millrace
