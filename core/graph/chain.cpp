// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/chain.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/graph/node_check.h"

namespace millrace {

namespace {

constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

class Chains {
 public:
  Chains(const Graph& graph, const Catalog& catalog, Problems& problems)
      : m_graph(graph),
        m_catalog(catalog),
        m_problems(problems),
        m_before(graph.nodes.size(), kNoNode),
        m_after(graph.nodes.size(), kNoNode) {}

  std::vector<std::size_t> find() {
    if (m_graph.nodes.empty()) {
      m_problems.error("", "nodes", "the pipeline has no nodes", "add a source first");
      return {};
    }
    connect();
    reportLoops();
    std::vector<std::size_t> chain = mainChain();
    reportLoose(chain);
    return chain;
  }

 private:
  bool hasRole(std::size_t i, NodeRole role) const {
    const NodeSpec* spec = m_catalog.find(m_graph.nodes[i].kind);
    return spec != nullptr && spec->role == role;
  }

  const NodeId& id(std::size_t i) const { return m_graph.nodes[i].id; }

  std::string named(const std::vector<std::size_t>& nodes) const {
    std::vector<std::string> ids;
    for (const std::size_t i : nodes) ids.push_back("`" + id(i) + "`");
    return joinWords(ids);
  }

  std::size_t find(const NodeId& wanted, std::size_t wire, const char* end) {
    const GraphNode* node = m_graph.node(wanted);
    if (node != nullptr) return static_cast<std::size_t>(node - m_graph.nodes.data());
    m_problems.error("", fmt::format("wires[{}].{}", wire, end),
                     fmt::format("there is no node `{}`", wanted),
                     didYouMean(wanted, m_graph.ids()));
    return kNoNode;
  }

  /// Connects each node's first input and output; reports further ones.
  void connect() {
    for (std::size_t w = 0; w < m_graph.wires.size(); ++w) {
      const std::size_t from = find(m_graph.wires[w].from, w, "from");
      const std::size_t to = find(m_graph.wires[w].to, w, "to");
      if (from == kNoNode || to == kNoNode || !mayConnect(from, to, w)) continue;
      m_after[from] = to;
      m_before[to] = from;
    }
  }

  bool mayConnect(std::size_t from, std::size_t to, std::size_t wire) {
    const std::string remedy = fmt::format("remove wires[{}]", wire);
    const std::size_t before = m_problems.all().size();
    if (m_after[from] == to) {
      m_problems.error(id(from), "", fmt::format("has two wires to `{}`", id(to)), remedy);
      return false;
    }
    if (hasRole(to, NodeRole::Source))
      m_problems.error(
          id(to), "",
          fmt::format("a source has no input, but a wire from `{}` leads to it", id(from)), remedy);
    else if (m_before[to] != kNoNode)
      m_problems.error(id(to), "",
                       fmt::format("takes one input, but wires from `{}` and `{}` lead to it",
                                   id(m_before[to]), id(from)),
                       remedy);
    if (hasRole(from, NodeRole::Consumer))
      m_problems.error(id(from), "",
                       fmt::format("a consumer has no output, but a wire leads to `{}`", id(to)),
                       remedy);
    else if (m_after[from] != kNoNode)
      m_problems.error(
          id(from), "",
          fmt::format("has one output, but wires lead to `{}` and `{}`", id(m_after[from]), id(to)),
          remedy);
    return m_problems.all().size() == before;
  }

  void reportLoops() {
    std::vector<bool> seen(m_graph.nodes.size(), false);
    for (std::size_t start = 0; start < seen.size(); ++start) {
      if (seen[start]) continue;
      std::vector<std::size_t> walk;
      std::size_t at = start;
      for (; at != kNoNode && !seen[at]; at = m_after[at]) {
        seen[at] = true;
        walk.push_back(at);
      }
      if (at == start) reportLoop(walk);
    }
  }

  /// Also opens the loop, so that later walks along the wires end.
  void reportLoop(const std::vector<std::size_t>& loop) {
    std::vector<std::string> ids;
    for (const std::size_t i : loop) ids.push_back(id(i));
    ids.push_back(ids.front());
    m_problems.error(id(loop.front()), "", "the wires form a loop: " + join(ids, " -> "),
                     "remove one of these wires");
    m_before[loop.front()] = kNoNode;
    m_after[loop.back()] = kNoNode;
    m_looped.insert(m_looped.end(), loop.begin(), loop.end());
  }

  std::vector<std::size_t> mainChain() {
    const std::vector<std::size_t> consumers = allOf(NodeRole::Consumer);
    if (consumers.size() > 1)
      m_problems.error(
          id(consumers[1]), "",
          fmt::format("a pipeline has one consumer, this one has {}", named(consumers)),
          "keep one of them");
    if (consumers.empty()) {
      m_problems.error("", "nodes", "no chain ends in a consumer",
                       "add one at the end, such as " + consumerKinds());
      return longestFromSource();
    }
    std::vector<std::size_t> chain = upTo(*bestConsumer(consumers));
    if (!hasRole(chain.front(), NodeRole::Source) &&
        m_catalog.find(m_graph.nodes[chain.front()].kind) != nullptr)
      m_problems.error(id(chain.front()), "", "no wire leads to it and it is not a source",
                       whatToConnect(chain));
    return chain;
  }

  /// The consumer whose chain begins with a source, else the first one.
  std::optional<std::size_t> bestConsumer(const std::vector<std::size_t>& consumers) const {
    for (const std::size_t consumer : consumers)
      if (hasRole(upTo(consumer).front(), NodeRole::Source)) return consumer;
    return consumers.front();
  }

  std::vector<std::size_t> allOf(NodeRole role) const {
    std::vector<std::size_t> nodes;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
      if (hasRole(i, role)) nodes.push_back(i);
    return nodes;
  }

  std::string consumerKinds() const {
    std::vector<std::string> kinds;
    for (const NodeSpec& spec : m_catalog.all())
      if (spec.role == NodeRole::Consumer) kinds.push_back("`" + spec.kind + "`");
    return join(kinds, " or ");
  }

  std::string whatToConnect(const std::vector<std::size_t>& chain) const {
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
      if (m_after[i] == kNoNode && !hasRole(i, NodeRole::Consumer) &&
          std::find(chain.begin(), chain.end(), i) == chain.end())
        return fmt::format(R"(add the wire {{"from": "{}", "to": "{}"}})", id(i),
                           id(chain.front()));
    return "add a source and a wire from it";
  }

  std::vector<std::size_t> upTo(std::size_t consumer) const {
    std::vector<std::size_t> chain;
    for (std::size_t i = consumer; i != kNoNode; i = m_before[i]) chain.push_back(i);
    std::reverse(chain.begin(), chain.end());
    return chain;
  }

  std::vector<std::size_t> longestFromSource() const {
    std::vector<std::size_t> longest;
    for (const std::size_t source : allOf(NodeRole::Source)) {
      std::vector<std::size_t> chain;
      for (std::size_t i = source; i != kNoNode; i = m_after[i]) chain.push_back(i);
      if (chain.size() > longest.size()) longest = std::move(chain);
    }
    return longest;
  }

  void reportLoose(const std::vector<std::size_t>& chain) {
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
      const bool runs = std::find(chain.begin(), chain.end(), i) != chain.end();
      const bool looped = std::find(m_looped.begin(), m_looped.end(), i) != m_looped.end();
      // A duplicate has no wires; its id has to be changed.
      const bool duplicate = m_graph.node(id(i)) != &m_graph.nodes[i];
      if (!runs && !looped && !duplicate)
        m_problems.warning(id(i), "", "not part of the chain that runs, so it has no effect",
                           "connect it or remove it");
    }
  }

  const Graph& m_graph;
  const Catalog& m_catalog;
  Problems& m_problems;
  std::vector<std::size_t> m_before;
  std::vector<std::size_t> m_after;
  std::vector<std::size_t> m_looped;
};

}  // namespace

std::vector<std::size_t> findChain(const Graph& graph, const Catalog& catalog, Problems& problems) {
  return Chains(graph, catalog, problems).find();
}

}  // namespace millrace
