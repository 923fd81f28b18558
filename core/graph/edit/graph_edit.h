// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

// Edits of a document. Each is a pure function that returns the new document, or an error that says
// why the edit is refused. The command line and the workbench use the same edits.

/// A document with an added node, and the id of that node.
struct AddedNode {
  Graph graph;
  NodeId id;
};

/// Adds a node of `kind` with default parameters and without wires.
Result<AddedNode> addNode(Graph graph, const Catalog& catalog, std::string_view kind);
/// The same, inserted into the wire from `before` to `after`.
Result<AddedNode> insertNode(Graph graph, const Catalog& catalog, std::string_view kind,
                             const NodeId& before, const NodeId& after);
/// Removes a node, its wires, and its id from parameters of other nodes (ParamSpec::isNodes). Those
/// that named only this one go with it.
Result<Graph> removeNode(Graph graph, const Catalog& catalog, const NodeId& id);
/// Refused if a node is unknown or its port is in use, a source would get an input or a consumer an
/// output, or the wires would form a loop.
Result<Graph> connectNodes(Graph graph, const Catalog& catalog, const NodeId& from,
                           const NodeId& to);
Result<Graph> disconnectNodes(Graph graph, const NodeId& from, const NodeId& to);
/// Moves a node without wires into the wire from `before` to `after`.
Result<Graph> putBetween(Graph graph, const Catalog& catalog, const NodeId& id,
                         const NodeId& before, const NodeId& after);
/// Wires, and parameters of other nodes with its id, are adapted. The node's random draws change,
/// because they depend on the id.
Result<Graph> renameNode(Graph graph, const Catalog& catalog, const NodeId& id,
                         const NodeId& newId);
/// Gives the node the new ids of those that it names (ParamSpec::isNodes), and drops those that
/// have none, with their numbers in lists that have one for each.
Graph withNewIds(Graph graph, const Catalog& catalog, const NodeId& id,
                 const std::map<NodeId, NodeId>& newIds);
/// Refused if the kind cannot be bypassed.
Result<Graph> setState(Graph graph, const Catalog& catalog, const NodeId& id, NodeState state);
/// Refused if the parameter is unknown, the type does not fit or the value is out of range.
Result<Graph> setParameter(Graph graph, const Catalog& catalog, const NodeId& id,
                           std::string_view param, const Value& value);

/// `--set NODE.PARAM=VALUE`. The error lists the valid nodes or parameters.
Result<Graph> applySetting(Graph graph, const Catalog& catalog, std::string_view setting);

/// The first source of a document, with a wire or without; nullptr if it has none.
const GraphNode* firstSource(const Graph& graph, const Catalog& catalog);

/// `--data PATH...`: sets the data parameters of the source in their declared order; the last one
/// takes the remaining paths. Parameters without a path are cleared if they are optional and
/// otherwise unchanged. Paths are relative to the current folder and stored as absolute paths;
/// `sample:NAME` is kept.
Result<Graph> applyData(Graph graph, const Catalog& catalog, const std::vector<std::string>& paths);

/// Makes every relative path in parameters of known kinds absolute, starting at `base`;
/// `sample:NAME` is kept.
Graph withAbsolutePaths(Graph graph, const Catalog& catalog, const std::filesystem::path& base);

}  // namespace millrace
