// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <QPointF>

#include "core/base/result.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/graph.h"
#include "widgets/models/node_place.h"

namespace millrace {

// Edits that a canvas needs in addition to core/graph/edit/graph_edit.h; also pure functions.

struct WireKey {
  NodeId from;
  NodeId to;
  auto operator<=>(const WireKey&) const = default;
};

/// The node that `id` leads to.
std::optional<NodeId> nodeAfter(const Graph& graph, const NodeId& id);

/// Adds a wire from `from` to `to`, and removes wires that already occupy the input.
Result<Graph> connectReplacing(Graph graph, const Catalog& catalog, const NodeId& from,
                               const NodeId& to);

/// Adds an unconnected node at a place.
Result<AddedNode> addNodeAt(Graph graph, const Catalog& catalog, std::string_view kind,
                            QPointF place);
/// `added` with no more threads than there are cores.
AddedNode withinCores(AddedNode added, const Catalog& catalog, unsigned cores);
/// Inserts `id`, which must be unconnected, between the two ends of `wire`.
Result<Graph> insertOnWire(Graph graph, const Catalog& catalog, const NodeId& id,
                           const WireKey& wire);

enum class Healing { Cut, Heal };
/// Removes these nodes; `Heal` joins their neighbours where `connectNodes` allows it.
Graph removeNodes(Graph graph, const Catalog& catalog, const std::vector<NodeId>& ids,
                  Healing healing);

/// Bypasses these nodes, or switches them on again if all are bypassed. Refused with the reason if
/// one of them cannot be bypassed.
Result<Graph> toggleBypass(Graph graph, const Catalog& catalog, const std::vector<NodeId>& ids);

/// Replaces consumer `id` with the consumer that has no settings, and remembers `id`; or puts the
/// remembered one back.
Result<AddedNode> togglePlainConsumer(Graph graph, const Catalog& catalog, const NodeId& id);

/// These nodes as a pipeline document, with the wires between them and those that lead to them.
std::string copyText(const Graph& graph, const Catalog& catalog, const std::vector<NodeId>& ids);

struct Pasted {
  Graph graph;
  std::vector<NodeId> ids;
};
enum class Incoming { Drop, Keep };
/// Adds the nodes of `text` with new ids, moved by `offset`. `Keep` also connects them to the nodes
/// that fed the originals, if those have a free output. Refused if the text is not a pipeline.
Result<Pasted> paste(Graph graph, const Catalog& catalog, std::string_view text, QPointF offset,
                     Incoming incoming);

}  // namespace millrace
