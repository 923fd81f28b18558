// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/graph/graph_check.h"

namespace millrace {

/// Which wires a user may draw. Refused is whatever `connectNodes` refuses and, if the stream at
/// the beginning of the wire is known, what the end cannot accept: another level, no field to act
/// on, a wrong position in the chain. Sizes are not checked, because a node in between may still
/// equalise them. Valid for one state of a document; keeps references to graph and catalog. One
/// thread.
class WireRules {
 public:
  /// `streams`: result of a check of this graph, or empty.
  WireRules(const Graph& graph, const Catalog& catalog, const std::vector<NodeStream>& streams,
            std::filesystem::path base = {});

  /// Whether a wire may lead from `from` to `to`; the error says why not. Existing wires at these
  /// ports do not matter: the new wire replaces them.
  Status mayLead(const NodeId& from, const NodeId& to) const;

  /// The same for a new node of `kind` with default parameters after `from`.
  Status mayFollow(const NodeId& from, const NodeSpec& kind) const;
  /// For a kind that acts on one named field: the name of a field of the stream after `from` that a
  /// new node accepts, its default if that fits. Empty for other kinds and unknown streams. An
  /// error if the stream has no such field, or lacks those that the kind lists by default and has
  /// no records to name instead. Pictures and labels are left to the default.
  Result<std::string> fieldFor(const NodeId& from, const NodeSpec& kind) const;
  /// Like `mayFollow` for a new node before `to`, as far as that is possible without its stream.
  Status mayPrecede(const NodeSpec& kind, const NodeId& to) const;

 private:
  Status takes(const NodeId& from, const NodeId& to, const NodeSpec& spec,
               const Values& values) const;
  /// The first error in this parameter of a node of `kind` after `begin`.
  Status accepts(const CheckedNode& begin, const NodeSpec& kind, const Values& values,
                 const std::string& param) const;
  const NodeSpec* specOf(const NodeId& id) const;
  bool leadsTo(const NodeId& from, const NodeId& to) const;
  /// The node of m_chain whose stream leaves `from`, skipping bypassed nodes; nullptr if unknown.
  const CheckedNode* producer(const NodeId& from) const;

  const Graph& m_graph;
  const Catalog& m_catalog;
  std::filesystem::path m_base;
  std::vector<CheckedNode> m_chain;  ///< the nodes whose streams are known
  std::map<NodeId, NodeId> m_before;
  std::map<NodeId, NodeId> m_after;
};

}  // namespace millrace
