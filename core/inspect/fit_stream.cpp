// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/inspect/fit_stream.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/edit/graph_edit.h"
#include "core/graph/edit/graph_splice.h"
#include "core/graph/graph_check.h"

namespace millrace {

namespace {

/// Whether the pipeline also works without the node.
bool mayGo(const Graph& graph, const Catalog& catalog, const NodeId& id) {
  const auto node = std::ranges::find(graph.nodes, id, &GraphNode::id);
  const NodeSpec* spec = node == graph.nodes.end() ? nullptr : catalog.find(node->kind);
  return spec != nullptr && spec->canBypass &&
         (spec->category == Category::Geometry || spec->category == Category::Colour ||
          spec->category == Category::Tensor);
}

}  // namespace

Status fitStream(PipelineProposal& proposal, const Catalog& catalog) {
  CheckOptions options;
  options.openData = true;
  options.device = DeviceUse::DontDetect;
  std::vector<std::string> reasons;
  std::map<std::string, std::vector<std::string>> nodes;  // by reason
  for (std::size_t round = 0; round < proposal.graph.nodes.size(); ++round) {
    const std::vector<Problem> problems =
        checkGraph(proposal.graph, catalog, options).problems.all();
    const auto wrong = std::ranges::find_if(problems, [&](const Problem& problem) {
      return problem.severity == Severity::Error && mayGo(proposal.graph, catalog, problem.node);
    });
    if (wrong == problems.end()) break;
    if (!wrong->field.empty()) {
      MILLRACE_ASSIGN_OR_RETURN(proposal.graph,
                                setState(proposal.graph, catalog, wrong->node, NodeState::Bypass));
      proposal.notes += fmt::format("`{}` is bypassed: {}. ", wrong->node, wrong->message);
      continue;
    }
    MILLRACE_ASSIGN_OR_RETURN(proposal.graph,
                              bridgeNode(std::move(proposal.graph), catalog, wrong->node));
    if (nodes[wrong->message].empty()) reasons.push_back(wrong->message);
    nodes[wrong->message].push_back("`" + wrong->node + "`");
  }
  for (const std::string& reason : reasons)
    proposal.notes += fmt::format("Without {}: {}. ", joinWords(nodes[reason]), reason);
  return {};
}

}  // namespace millrace
