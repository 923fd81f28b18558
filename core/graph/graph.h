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

/// Matches `[a-z][a-z0-9_-]*` in a sound pipeline (CONTRACT §1). Draws depend on it.
using NodeId = std::string;

/// JSON that the engine keeps without understanding it: compact text, keys sorted; empty: absent.
struct RawJson {
  std::string text;
  bool operator==(const RawJson&) const = default;
};

/// Unknown keys of an object in the file, by name.
using Extras = std::map<std::string, RawJson, std::less<>>;

/// A parameter as the document has it: a value of the described type, or, where the kind or the
/// parameter is unknown or the type does not fit, what stood in the file.
using ParamValue = std::variant<Value, RawJson>;
using ParamValues = std::map<std::string, ParamValue, std::less<>>;

enum class NodeState : std::uint8_t { On, Bypass };
std::string_view nameOf(NodeState state);

struct GraphNode {
  NodeId id;
  std::string kind;
  ParamValues params;  ///< those given; a kind's defaults stand for the others
  NodeState state = NodeState::On;
  RawJson ui;  ///< place on the canvas and the like: the workbench's
  Extras extras;

  bool operator==(const GraphNode&) const = default;
};

struct GraphWire {
  NodeId from;
  NodeId to;
  Extras extras;

  bool operator==(const GraphWire&) const = default;
};

/// The value that a node has, its kind's default where none of the described type was given.
Value valueOf(const GraphNode& node, const ParamSpec& param);
/// Whether another parameter of the node gives this one its meaning; else it changes nothing.
bool isUsed(const GraphNode& node, const NodeSpec& kind, const ParamSpec& param);

/// A pipeline document as it is edited and stored (CONTRACT §1): may be incomplete or wrong, which
/// `checkGraph` says. Value type; edit it through graph_edit.h.
struct Graph {
  static constexpr std::int64_t kFormatVersion = 1;

  std::uint64_t seed = 0;
  std::vector<GraphNode> nodes;
  std::vector<GraphWire> wires;
  std::vector<RawJson> groups;    ///< the workbench's
  std::vector<RawJson> comments;  ///< the workbench's
  Extras extras;

  /// The first node of this id; nullptr when there is none.
  const GraphNode* node(std::string_view id) const;
  GraphNode* node(std::string_view id);
  std::vector<NodeId> ids() const;

  bool operator==(const Graph&) const = default;
};

/// Whether a node may have this id.
bool isNodeId(std::string_view id);
/// The id that a new node of `kind` gets: the kind, or `kind_2` and so on.
NodeId freeId(const Graph& graph, std::string_view kind);

}  // namespace millrace
