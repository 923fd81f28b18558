// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QPointF>
#include <QString>

#include "core/graph/graph.h"

namespace millrace {

// The user's notes on the canvas: comments, and groups that frame and name some nodes. The engine
// ignores both. Stored in `Graph::comments` and `Graph::groups`; unknown keys are kept. They are
// identified by their index in those lists.

struct Comment {
  QString text;
  QPointF place;
};
struct NodeGroup {
  QString title;
  std::vector<NodeId> nodes;  ///< only nodes that the document still has
};

/// nullopt for an entry in an unknown form, which is kept nevertheless.
std::optional<Comment> commentOf(const RawJson& raw);
std::optional<NodeGroup> groupOf(const RawJson& raw, const Graph& graph);

Graph addComment(Graph graph, const Comment& comment);
/// Sets text and place of the `i`-th comment; an empty text removes it.
Graph setComment(Graph graph, std::size_t i, const Comment& comment);
Graph removeComment(Graph graph, std::size_t i);

/// A node is in at most one group: these nodes leave theirs. Empty groups are removed.
Graph addGroup(Graph graph, const QString& title, const std::vector<NodeId>& nodes);
Graph retitleGroup(Graph graph, std::size_t i, const QString& title);
/// Removes the groups that contain any of these nodes; the nodes stay.
Graph ungroup(Graph graph, const std::vector<NodeId>& nodes);
/// Updates the groups that contain a renamed node.
Graph renamedInGroups(Graph graph, const NodeId& id, const NodeId& newId);

}  // namespace millrace
