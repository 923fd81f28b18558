// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

// Edits of a document, each a pure function: the new document, or why the edit is refused. Shared
// by the command line and the workbench, so that both allow the same.

/// A document with a node more, and that node's id.
struct AddedNode {
  Graph graph;
  NodeId id;
};

/// A node of `kind` with all its defaults, connected to nothing.
Result<AddedNode> addNode(Graph graph, const Catalog& catalog, std::string_view kind);
/// The same, connected between two that a wire connects.
Result<AddedNode> insertNode(Graph graph, const Catalog& catalog, std::string_view kind,
                             const NodeId& before, const NodeId& behind);
/// Also removes its wires.
Result<Graph> removeNode(Graph graph, const NodeId& id);
/// Refused where an end is unknown or taken, a source would get an input, a consumer an output, or
/// the wires would go in a circle.
Result<Graph> connectNodes(Graph graph, const Catalog& catalog, const NodeId& from,
                           const NodeId& to);
Result<Graph> disconnectNodes(Graph graph, const NodeId& from, const NodeId& to);
/// A node that is connected to nothing goes between two that a wire connects.
Result<Graph> putBetween(Graph graph, const Catalog& catalog, const NodeId& id,
                         const NodeId& before, const NodeId& behind);
/// Wires follow. The node draws other random numbers from then on: draws depend on the id.
Result<Graph> renameNode(Graph graph, const NodeId& id, const NodeId& newId);
/// Refused where the kind cannot be bypassed.
Result<Graph> setState(Graph graph, const Catalog& catalog, const NodeId& id, NodeState state);
/// Refused where the parameter is unknown, the type does not fit or the range is left.
Result<Graph> setParameter(Graph graph, const Catalog& catalog, const NodeId& id,
                           std::string_view param, const Value& value);

/// `--set NODE.PARAM=VALUE`. The error lists the valid nodes or parameters.
Result<Graph> applySetting(Graph graph, const Catalog& catalog, std::string_view setting);

/// `--data PATH...`: sets the source's data parameters in their declared order, the last takes the
/// rest; those that get none are emptied where they are optional, and else keep what they have.
/// Paths are taken from the current folder and stored as absolute ones; `sample:NAME` stays.
Result<Graph> applyData(Graph graph, const Catalog& catalog, const std::vector<std::string>& paths);

/// Every relative path in a parameter of a known kind begins at `base`; `sample:NAME` stays.
Graph withAbsolutePaths(Graph graph, const Catalog& catalog, const std::filesystem::path& base);

}  // namespace millrace
