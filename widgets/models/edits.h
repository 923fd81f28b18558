// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <QPointF>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/graph/graph_edit.h"
#include "widgets/models/node_place.h"

namespace millrace {

// Edits that a canvas needs beyond core/graph/graph_edit.h: pure functions likewise.

struct WireKey {
  NodeId from;
  NodeId to;
  auto operator<=>(const WireKey&) const = default;
};

/// A wire from `from` to `to`; those that end where it ends make room for it.
Result<Graph> connectReplacing(Graph graph, const Catalog& catalog, const NodeId& from,
                               const NodeId& to);

/// A new node at a place, in no wire.
Result<AddedNode> addNodeAt(Graph graph, const Catalog& catalog, std::string_view kind,
                            QPointF place);
/// Puts `id`, which hangs on no wire, between the two ends of `wire`.
Result<Graph> insertOnWire(Graph graph, const Catalog& catalog, const NodeId& id,
                           const WireKey& wire);

enum class Healing { Cut, Heal };
/// Without these nodes; `Heal` joins what stood before and behind them where `connectNodes` allows.
Graph removeNodes(Graph graph, const Catalog& catalog, const std::vector<NodeId>& ids,
                  Healing healing);

/// Bypasses these nodes, or sets them on again when all are bypassed. Refused with the reason where
/// one of them cannot be bypassed.
Result<Graph> toggleBypass(Graph graph, const Catalog& catalog, const std::vector<NodeId>& ids);

/// Puts the consumer without settings of its own in the place of consumer `id`, which is
/// remembered; or the remembered one back.
Result<AddedNode> togglePlainConsumer(Graph graph, const Catalog& catalog, const NodeId& id);

/// These nodes as a pipeline document, with the wires between them and those that lead in.
std::string copyText(const Graph& graph, const Catalog& catalog, const std::vector<NodeId>& ids);

struct Pasted {
  Graph graph;
  std::vector<NodeId> ids;
};
enum class Incoming { Drop, Keep };
/// The nodes of `text` with new ids, moved by `offset`. `Keep` also connects them to the nodes that
/// led into the originals, where those have a free output. Refused for text that is no pipeline.
Result<Pasted> paste(Graph graph, const Catalog& catalog, std::string_view text, QPointF offset,
                     Incoming incoming);

}  // namespace millrace
