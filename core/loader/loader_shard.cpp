// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/loader/loader_shard.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/graph/chain.h"
#include "core/graph/graph_edit.h"

namespace millrace {

namespace {

/// The kind that keeps a process's part: the order node that asks for its number among them.
const NodeSpec* shardSpec(const Catalog& catalog) {
  for (const NodeSpec& spec : catalog.all())
    if (spec.role == NodeRole::Order && spec.param("rank") != nullptr &&
        spec.param("world") != nullptr)
      return &spec;
  return nullptr;
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
  const NodeId behind = graph.nodes[chain[last + 1]].id;
  auto added = insertNode(std::move(graph), catalog, kind, before, behind);
  if (!added) return added.error();
  graph = std::move(added->graph);
  return added->id;
}

Result<NodeId> shardNode(Graph& graph, const Catalog& catalog) {
  const NodeSpec* spec = shardSpec(catalog);
  if (spec == nullptr) return Error{"no kind of node keeps a process's part of the data"};
  for (GraphNode& node : graph.nodes) {
    if (node.kind != spec->kind) continue;
    node.state = NodeState::On;
    return node.id;
  }
  return insertShard(graph, catalog, spec->kind);
}

}  // namespace

Result<NodeId> shardNodeOf(const Graph& graph, const Catalog& catalog) {
  const NodeSpec* spec = shardSpec(catalog);
  if (spec == nullptr) return Error{"no kind of node keeps a process's part of the data"};
  Problems ignored;
  std::vector<std::string> found;
  for (const std::size_t i : findChain(graph, catalog, ignored))
    if (graph.nodes[i].kind == spec->kind && graph.nodes[i].state == NodeState::On)
      found.push_back(graph.nodes[i].id);
  if (found.size() == 1) return found.front();
  if (!found.empty())
    return Error{
        fmt::format("there are {} nodes that part the data between processes ({}); leave "
                    "one and bypass the others",
                    found.size(), joinWords(found))};
  return Error{
      fmt::format("no node parts the data, so that each process would take all of it; put a "
                  "{} node ({}) behind the shuffle, or behind the source without one",
                  spec->label, spec->kind)};
}

Result<Graph> withShard(Graph graph, const Catalog& catalog, const LoaderShard& shard) {
  if (shard.rank >= shard.world)
    return Error{fmt::format("rank {} of a world of {}: ranks are numbered from 0", shard.rank,
                             shard.world)};
  const auto id = shardNode(graph, catalog);
  if (!id) return id.error();
  auto edited = setParameter(std::move(graph), catalog, *id, "rank",
                             Value{static_cast<std::int64_t>(shard.rank)});
  if (!edited) return edited;
  return setParameter(edited.take(), catalog, *id, "world",
                      Value{static_cast<std::int64_t>(shard.world)});
}

}  // namespace millrace
