// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QPointF>
#include <QString>

#include "core/graph/graph.h"

namespace millrace {

// What a person writes on the canvas: comments, and groups that frame and name some nodes. The
// engine ignores both. Stored in `Graph::comments` and `Graph::groups`; keys that this version does
// not know stay. Places in those lists name them.

struct Comment {
  QString text;
  QPointF place;
};
struct NodeGroup {
  QString title;
  std::vector<NodeId> nodes;  ///< those that the document still has
};

/// Nothing for an entry that is none of ours; it is kept all the same.
std::optional<Comment> commentOf(const RawJson& raw);
std::optional<NodeGroup> groupOf(const RawJson& raw, const Graph& graph);

Graph addComment(Graph graph, const Comment& comment);
/// Text and place of the `i`-th comment; an empty text removes it.
Graph setComment(Graph graph, std::size_t i, const Comment& comment);
Graph removeComment(Graph graph, std::size_t i);

/// A node is in one group at most: these leave theirs. Groups left without nodes go.
Graph addGroup(Graph graph, const QString& title, const std::vector<NodeId>& nodes);
Graph retitleGroup(Graph graph, std::size_t i, const QString& title);
/// Without the groups that hold any of these nodes; the nodes stay.
Graph ungroup(Graph graph, const std::vector<NodeId>& nodes);
/// Groups that name a node which was renamed follow.
Graph renamedInGroups(Graph graph, const NodeId& id, const NodeId& newId);

}  // namespace millrace
