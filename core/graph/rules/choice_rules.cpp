// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/choice_rules.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/graph/rules/node_check.h"
#include "core/spec/did_you_mean.h"

namespace millrace {

namespace {

/// Reads one choice node.
class ChoiceReader {
 public:
  ChoiceReader(const Graph& graph, const GraphNode& node, ChoiceSettings settings,
               Problems& problems)
      : m_graph(graph), m_node(node), m_settings(std::move(settings)), m_problems(problems) {}

  /// The choice without a place. Nothing if it is wrong or has no effect; that is reported.
  std::optional<NodeChoice> read(std::map<NodeId, NodeId>& takenBy) {
    if (m_settings.nodes.empty()) {
      m_problems.warning(m_node.id, "nodes", "it names no nodes, so it has no effect",
                         "name those to choose from, or remove it");
      return std::nullopt;
    }
    bool isRight = m_settings.nodes.size() <= NodeChoice::kMostNodes ||
                   error("nodes", fmt::format("names {} nodes", m_settings.nodes.size()),
                         fmt::format("name at most {}", NodeChoice::kMostNodes));
    for (const NodeId& id : m_settings.nodes) isRight = takes(id, takenBy) && isRight;
    isRight = checkWeights() && isRight;
    if (!isRight) return std::nullopt;
    NodeChoice choice{m_node.id,
                      drawKeyOf(m_node.id),
                      m_settings.probability,
                      static_cast<std::size_t>(m_settings.count),
                      weights(),
                      0};
    return checkCount(choice) ? std::optional(std::move(choice)) : std::nullopt;
  }

  const TextList& nodes() const { return m_settings.nodes; }

 private:
  bool error(const char* param, std::string message, std::string remedy) {
    m_problems.error(m_node.id, param, std::move(message), std::move(remedy));
    return false;
  }

  bool takes(const NodeId& id, std::map<NodeId, NodeId>& takenBy) {
    if (m_graph.node(id) == nullptr)
      return error("nodes", fmt::format("there is no node `{}`", id),
                   didYouMean(id, m_graph.ids()));
    const auto [other, isNew] = takenBy.emplace(id, m_node.id);
    if (isNew) return true;
    if (other->second == m_node.id)
      return error("nodes", fmt::format("names `{}` twice", id), "name it once");
    return error("nodes", fmt::format("`{}` also belongs to `{}`", id, other->second),
                 "keep it in one of them");
  }

  bool checkWeights() {
    const std::size_t given = m_settings.weights.size();
    if (given == 0 || given == m_settings.nodes.size()) return true;
    return error("weights",
                 fmt::format("{} for {}", counted(given, "weight"),
                             counted(m_settings.nodes.size(), "node")),
                 "give one for each node, or none");
  }

  /// 0 for nodes that are bypassed.
  RealList weights() const {
    RealList weights = m_settings.weights;
    if (weights.empty()) weights.assign(m_settings.nodes.size(), 1);
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (m_graph.node(m_settings.nodes[i])->state == NodeState::Bypass) weights[i] = 0;
    return weights;
  }

  bool checkCount(NodeChoice& choice) {
    const auto those = static_cast<std::size_t>(
        std::ranges::count_if(choice.weights, [](double weight) { return weight > 0; }));
    if (those == 0)
      return error(m_settings.weights.empty() ? "nodes" : "weights",
                   "none of its nodes can be chosen: all are bypassed or have weight 0",
                   "switch one on, or remove this node");
    if (choice.count == 0) choice.count = those;
    if (choice.count <= those) return true;
    return error("count", fmt::format("it cannot choose {} of {} nodes", choice.count, those),
                 fmt::format("choose 1 to {}; 0 means all of them", those));
  }

  const Graph& m_graph;
  const GraphNode& m_node;
  const ChoiceSettings m_settings;
  Problems& m_problems;
};

std::string stepsOut(const CheckedNode& node) {
  return fmt::format("remove it from `nodes` of `{}`", node.choice->id);
}

/// Why samples cannot skip the node; empty: they can.
std::string whyNotSkipped(const CheckedNode& node) {
  const bool worksOnSamples =
      node.spec->role == NodeRole::Image || node.spec->role == NodeRole::Sample;
  if (!worksOnSamples) return "does not work on single samples";
  if (node.in.place == Place::Device) return "works on whole batches on the GPU";
  for (std::size_t i = 0; i < std::max(node.in.fields.size(), node.out.fields.size()); ++i) {
    if (i >= node.in.fields.size() || i >= node.out.fields.size())
      return "gives other fields than it takes";
    if (node.in.fields[i] != node.out.fields[i])
      return fmt::format("makes {} of {}", node.out.fields[i].text(), node.in.fields[i].text());
  }
  return {};
}

}  // namespace

std::map<NodeId, NodeChoice> choicesOf(const Graph& graph, const Catalog& catalog,
                                       Problems& problems) {
  std::map<NodeId, NodeChoice> choices;
  std::map<NodeId, NodeId> takenBy;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    const NodeSpec* spec = catalog.find(node.kind);
    if (spec == nullptr || !spec->choice || node.state == NodeState::Bypass) continue;
    ChoiceReader reader(graph, node, spec->choice(completeValues(node, i, *spec, problems)),
                        problems);
    std::optional<NodeChoice> choice = reader.read(takenBy);
    if (!choice) continue;
    for (; choice->place < reader.nodes().size(); ++choice->place)
      choices.emplace(reader.nodes()[choice->place], *choice);
  }
  return choices;
}

void noteChoice(CheckedNode& node) {
  if (node.choice && !node.choice->isCertain()) node.out.randomFrom = node.id;
}

void checkChoices(const std::map<NodeId, NodeChoice>& choices,
                  const std::vector<CheckedNode>& nodes, Problems& problems) {
  for (const auto& [id, choice] : choices)
    if (choice.weights[choice.place] > 0 && !std::ranges::count(nodes, id, &CheckedNode::id))
      problems.error(choice.id, "nodes", fmt::format("`{}` is not part of the chain that runs", id),
                     "connect it, bypass it, or leave it out");
  std::map<NodeId, std::size_t> last;  // of each choice: its last node so far
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const CheckedNode& node = nodes[i];
    if (!node.choice) continue;
    if (const std::string why = whyNotSkipped(node); !why.empty())
      problems.error(node.id, "", why + ", so it cannot be left out for some samples",
                     stepsOut(node));
    const auto [before, isFirst] = last.try_emplace(node.choice->id, i);
    if (!isFirst && before->second + 1 != i)
      problems.error(node.choice->id, "nodes",
                     fmt::format("`{}` lies between its nodes", nodes[i - 1].id),
                     fmt::format("add `{}` to them, or move it", nodes[i - 1].id));
    before->second = i;
  }
}

}  // namespace millrace
