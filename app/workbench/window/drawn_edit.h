// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/graph/graph.h"

namespace millrace {

struct EditSession;

/// An edited pipeline with places for what the edit inserted or moved along the chain. A drawing
/// that is arranged stays arranged; otherwise an inserted node takes the place of its successor,
/// and the nodes right of that make room. Nodes keep their places if only settings differ.
Graph drawnEdit(const EditSession& session, Graph edited);

}  // namespace millrace
