// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/report/normalise_edit.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/graph/chain.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/graph_check.h"

namespace millrace {

namespace {

constexpr std::string_view kKind = "normalise";

std::ptrdiff_t errorsOf(const Graph& graph, const Catalog& catalog) {
  return std::ranges::count(checkGraph(graph, catalog, {}).problems.all(), Severity::Error,
                            &Problem::severity);
}

/// Whether a node changes types and layouts, or makes batches.
bool endsPixels(const Graph& graph, const Catalog& catalog, std::size_t node) {
  const NodeSpec* spec = catalog.find(graph.nodes[node].kind);
  return spec != nullptr && (spec->category == Category::Tensor || spec->role == NodeRole::Batch);
}

Result<Graph> withValues(Graph graph, const Catalog& catalog, const NodeId& id,
                         const SetReport& set) {
  MILLRACE_ASSIGN_OR_RETURN(
      Graph first, applySetting(std::move(graph), catalog, id + ".mean=" + channelsText(set.mean)));
  return applySetting(std::move(first), catalog, id + ".deviation=" + channelsText(set.deviation));
}

Result<NormaliseEdit> inserted(const SetReport& set, const Graph& graph, const Catalog& catalog) {
  Problems problems;
  const std::vector<std::size_t> chain = findChain(graph, catalog, problems);
  const std::ptrdiff_t before = errorsOf(graph, catalog);
  // Before what changes types and layouts, so that one pass over the pixels does both.
  std::size_t end = chain.size();
  for (std::size_t i = chain.size(); i-- > 1;)
    if (endsPixels(graph, catalog, chain[i])) end = i + 1;
  std::vector<std::size_t> places;
  for (std::size_t i = end; i-- > 1;) places.push_back(i);
  for (std::size_t i = chain.size(); i-- > end;) places.push_back(i);
  for (const std::size_t i : places) {
    auto added =
        insertNode(graph, catalog, kKind, graph.nodes[chain[i - 1]].id, graph.nodes[chain[i]].id);
    if (!added) continue;
    auto valued = withValues(std::move(added->graph), catalog, added->id, set);
    if (!valued) return valued.error();
    if (errorsOf(*valued, catalog) <= before) return NormaliseEdit{valued.take(), added->id, true};
  }
  return Error{
      "no place in this pipeline suits a node `normalise`: it needs decoded pictures before they "
      "are put into batches"};
}

}  // namespace

std::string channelsText(const std::vector<double>& values) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const double value : values) texts.push_back(fmt::format("{:.4g}", value));
  return join(texts, ",");
}

Result<NormaliseEdit> withFiguresOf(const SetReport& set, const Graph& graph,
                                    const Catalog& catalog, const NodeId& chosen) {
  if (set.mean.empty() || set.deviation.empty())
    return Error{fmt::format("`{}` has no pictures whose mean is known", visibleName(set.name))};
  if (std::ranges::any_of(set.deviation, [](double deviation) { return deviation <= 0; }))
    return Error{fmt::format("a channel of `{}` has one value only, so it cannot be normalised",
                             visibleName(set.name))};
  std::vector<NodeId> nodes;
  for (const GraphNode& node : graph.nodes)
    if (node.kind == kKind) nodes.push_back(node.id);
  if (nodes.empty()) return inserted(set, graph, catalog);
  NodeId id = nodes.front();
  if (nodes.size() > 1) {
    if (std::ranges::find(nodes, chosen) == nodes.end())
      return Error{fmt::format("the pipeline has {} nodes `normalise`: select one of them first",
                               nodes.size())};
    id = chosen;
  }
  MILLRACE_ASSIGN_OR_RETURN(Graph edited, withValues(graph, catalog, id, set));
  return NormaliseEdit{std::move(edited), id, false};
}

}  // namespace millrace
