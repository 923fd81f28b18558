// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/spec/catalog.h"
#include "core/spec/value.h"

namespace millrace {

/// Must match `[a-z][a-z0-9_-]*` (docs/reference/pipeline-file.md). Random draws depend on it.
using NodeId = std::string;

/// JSON that the engine keeps without interpreting it: compact, keys sorted; empty if absent.
struct RawJson {
  std::string text;
  bool operator==(const RawJson&) const = default;
};

/// Unknown keys of an object in the file, by name.
using Extras = std::map<std::string, RawJson, std::less<>>;

/// A parameter in the document: a value of the described type, or the JSON of the file if the kind
/// or parameter is unknown or the type does not fit.
using ParamValue = std::variant<Value, RawJson>;
using ParamValues = std::map<std::string, ParamValue, std::less<>>;

enum class NodeState : std::uint8_t { On, Bypass };
std::string_view nameOf(NodeState state);

struct GraphNode {
  NodeId id;
  std::string kind;
  ParamValues params;  ///< those given; the others have the kind's defaults
  NodeState state = NodeState::On;
  RawJson ui;  ///< position on the canvas and so on; used by the workbench
  Extras extras;

  bool operator==(const GraphNode&) const = default;
};

struct GraphWire {
  NodeId from;
  NodeId to;
  Extras extras;

  bool operator==(const GraphWire&) const = default;
};

/// The node's value of a parameter; the default if none of the described type is given.
Value valueOf(const GraphNode& node, const ParamSpec& param);
/// Whether the parameter has an effect: some apply only for certain values of another parameter.
bool isUsed(const GraphNode& node, const NodeSpec& kind, const ParamSpec& param);

struct Graph;
/// The nodes of the document that the node names (ParamSpec::isNodes), in the order of its list.
std::vector<NodeId> namedNodes(const Graph& graph, const GraphNode& node, const NodeSpec& kind);

/// A pipeline document as edited and stored (docs/reference/pipeline-file.md). It may be
/// incomplete or wrong; `checkGraph` reports that. Value type; edit it with graph_edit.h.
struct Graph {
  static constexpr std::int64_t kFormatVersion = 1;

  std::uint64_t seed = 0;
  std::vector<GraphNode> nodes;
  std::vector<GraphWire> wires;
  std::vector<RawJson> groups;    ///< used by the workbench
  std::vector<RawJson> comments;  ///< used by the workbench
  Extras extras;

  /// The first node with this id; nullptr if there is none.
  const GraphNode* node(std::string_view id) const;
  GraphNode* node(std::string_view id);
  std::vector<NodeId> ids() const;

  bool operator==(const Graph&) const = default;
};

/// Whether the text is a valid node id.
bool isNodeId(std::string_view id);
/// The id for a new node of `kind`: the kind, or `kind_2` and so on.
NodeId freeId(const Graph& graph, std::string_view kind);

}  // namespace millrace
