// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/graph/graph_check.h"

namespace millrace {

/// Which wires a person may draw. Refused is what `connectNodes` refuses and, where the stream at
/// the wire's beginning is known, what its end cannot take: another level, no field to act on, a
/// wrong place in the chain. Sizes refuse nothing: what makes them equal may still come in between.
/// Made for one state of a document; refers to graph and catalog. One thread.
class WireRules {
 public:
  /// `streams`: of a check of this graph, or empty.
  WireRules(const Graph& graph, const Catalog& catalog, const std::vector<NodeStream>& streams,
            std::filesystem::path base = {});

  /// Why no wire may lead from `from` to `to`. Wires that are there already and would be in the
  /// way are taken as gone: a new wire replaces them.
  Status mayLead(const NodeId& from, const NodeId& to) const;

  /// The same for a new node of `kind` with its defaults behind `from`.
  Status mayFollow(const NodeId& from, const NodeSpec& kind) const;
  /// The same for a new node in front of `to`, as far as one can say without its stream.
  Status mayPrecede(const NodeSpec& kind, const NodeId& to) const;

 private:
  Status takes(const NodeId& from, const NodeId& to, const NodeSpec& spec,
               const Values& values) const;
  const NodeSpec* specOf(const NodeId& id) const;
  bool leadsTo(const NodeId& from, const NodeId& to) const;
  /// The place in m_chain whose stream leaves `from`, bypassed nodes passed over.
  const CheckedNode* producer(const NodeId& from) const;

  const Graph& m_graph;
  const Catalog& m_catalog;
  std::filesystem::path m_base;
  std::vector<CheckedNode> m_chain;  ///< the nodes whose streams are known
  std::map<NodeId, NodeId> m_before;
  std::map<NodeId, NodeId> m_behind;
};

}  // namespace millrace
