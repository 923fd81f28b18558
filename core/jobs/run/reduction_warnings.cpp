// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/reduction_warnings.h"

#include <array>
#include <map>
#include <string>
#include <utility>

#include "core/codecs/reduction.h"
#include "core/graph/edit/graph_edit.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

struct NodeCounts {
  std::uint64_t samples = 0;
  std::array<std::uint64_t, kReductions> reduced{};
};

void add(const NodeFigures& node, NodeCounts& counts) {
  counts.samples += node.items.value_or(0);
  for (std::size_t r = 0; r < kReductions; ++r)
    for (const NamedCount& counter : node.counters)
      if (counter.name == counterOf(static_cast<Reduction>(r))) counts.reduced[r] += counter.count;
}

}  // namespace

std::string_view kindWithPages(const NodeSpec& source) {
  return source.param("pages") == nullptr ? std::string_view() : source.kind;
}

std::string kindWithPages(const Graph& graph) {
  const GraphNode* source = firstSource(graph, builtinCatalog());
  if (source == nullptr) return {};
  return std::string(kindWithPages(*builtinCatalog().find(source->kind)));
}

std::vector<Problem> reductionWarnings(const RunResult& result, const NodeSpec& source) {
  std::map<std::string, NodeCounts> nodes;
  for (const SpanFigures& repeat : result.repeats)
    for (const NodeFigures& node : repeat.nodes) add(node, nodes[node.id]);
  std::vector<Problem> warnings;
  for (const auto& [id, counts] : nodes)
    for (std::size_t r = 0; r < kReductions; ++r)
      if (counts.reduced[r] > 0)
        warnings.push_back({Severity::Warning, id, "",
                            describe(static_cast<Reduction>(r), counts.reduced[r], counts.samples),
                            remedyOf(static_cast<Reduction>(r), kindWithPages(source))});
  return warnings;
}

}  // namespace millrace
