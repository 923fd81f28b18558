// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/loader_shard.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/chain.h"
#include "core/graph/edit/graph_edit.h"

namespace millrace {

namespace {

const NodeSpec* shardSpec(const Catalog& catalog) {
  const auto found = std::ranges::find_if(catalog.all(), isShard);
  return found == catalog.all().end() ? nullptr : &*found;
}

Result<NodeId> insertShard(Graph& graph, const Catalog& catalog, std::string_view kind) {
  Problems ignored;
  const std::vector<std::size_t> chain = findChain(graph, catalog, ignored);
  std::size_t last = 0;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const NodeSpec* spec = catalog.find(graph.nodes[chain[i]].kind);
    if (spec != nullptr && spec->role == NodeRole::Order) last = i;
  }
  if (last + 1 >= chain.size()) return Error{"the pipeline has no chain to put a shard node into"};
  const NodeId before = graph.nodes[chain[last]].id;
  const NodeId after = graph.nodes[chain[last + 1]].id;
  MILLRACE_ASSIGN_OR_RETURN(auto added, insertNode(std::move(graph), catalog, kind, before, after));
  graph = std::move(added.graph);
  return added.id;
}

Result<NodeId> shardNode(Graph& graph, const Catalog& catalog) {
  const NodeSpec* spec = shardSpec(catalog);
  if (spec == nullptr) return Error{"no node kind divides the data among processes"};
  for (GraphNode& node : graph.nodes) {
    if (node.kind != spec->kind) continue;
    node.state = NodeState::On;
    return node.id;
  }
  return insertShard(graph, catalog, spec->kind);
}

}  // namespace

/// It selects a process's part of the data: the order node with a rank parameter.
bool isShard(const NodeSpec& spec) {
  return spec.role == NodeRole::Order && spec.param("rank") != nullptr &&
         spec.param("world") != nullptr;
}

OrderDivision divisionOf(const Graph& graph, const Catalog& catalog) {
  OrderDivision division;
  bool divided = false;
  Problems ignored;
  for (const std::size_t i : findChain(graph, catalog, ignored)) {
    const GraphNode& node = graph.nodes[i];
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || spec->role != NodeRole::Order || node.state != NodeState::On) continue;
    if (divided) division.after = node.id;
    if (!isShard(*spec)) continue;
    divided = true;
    const Value world = valueOf(node, *spec->param("world"));
    division.world *= static_cast<std::uint64_t>(std::get<std::int64_t>(world));
  }
  return division;
}

Result<NodeId> shardNodeOf(const Graph& graph, const Catalog& catalog) {
  const NodeSpec* spec = shardSpec(catalog);
  if (spec == nullptr) return Error{"no node kind divides the data among processes"};
  Problems ignored;
  std::vector<std::string> found;
  for (const std::size_t i : findChain(graph, catalog, ignored))
    if (graph.nodes[i].kind == spec->kind && graph.nodes[i].state == NodeState::On)
      found.push_back(graph.nodes[i].id);
  if (found.size() == 1) return found.front();
  if (!found.empty())
    return Error{
        fmt::format("{} nodes divide the data among processes ({}); keep "
                    "one and bypass the others",
                    found.size(), joinWords(found))};
  return Error{
      fmt::format("no node divides the data, so every process would read all of it; insert a "
                  "{} node ({}) after the shuffle, or after the source if there is none",
                  spec->label, spec->kind)};
}

Result<Graph> withShard(Graph graph, const Catalog& catalog, const LoaderShard& shard) {
  if (shard.rank >= shard.world)
    return Error{fmt::format("rank {} is not below the world size {}: ranks start at 0", shard.rank,
                             shard.world)};
  MILLRACE_ASSIGN_OR_RETURN(const auto id, shardNode(graph, catalog));
  auto edited = setParameter(std::move(graph), catalog, id, "rank",
                             Value{static_cast<std::int64_t>(shard.rank)});
  if (!edited) return edited;
  return setParameter(edited.take(), catalog, id, "world",
                      Value{static_cast<std::int64_t>(shard.world)});
}

}  // namespace millrace
