// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/chain.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/base/text/text.h"
#include "core/spec/did_you_mean.h"

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
    findEnds();
    reportLoops();
    connect();
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

  /// A wire between existing nodes.
  struct Wire {
    std::size_t from = kNoNode;
    std::size_t to = kNoNode;
    bool operator==(const Wire&) const = default;
  };

  std::string named(const Wire& wire) const { return id(wire.from) + " -> " + id(wire.to); }

  std::size_t find(const NodeId& wanted, const GraphWire& wire) {
    const GraphNode* node = m_graph.node(wanted);
    if (node != nullptr) return static_cast<std::size_t>(node - m_graph.nodes.data());
    m_problems.error(
        "", "", fmt::format("the wire {} -> {}: there is no node `{}`", wire.from, wire.to, wanted),
        didYouMean(wanted, m_graph.ids()));
    return kNoNode;
  }

  void findEnds() {
    for (const GraphWire& read : m_graph.wires) {
      const Wire wire{find(read.from, read), find(read.to, read)};
      if (wire.from != kNoNode && wire.to != kNoNode) m_wires.push_back(wire);
    }
  }

  /// Connects each node's first input and output; reports further ones.
  void connect() {
    for (const Wire& wire : m_wires) {
      if (!mayConnect(wire.from, wire.to)) continue;
      m_after[wire.from] = wire.to;
      m_before[wire.to] = wire.from;
    }
  }

  bool mayConnect(std::size_t from, std::size_t to) {
    const std::string remedy = "remove the wire " + named(Wire{from, to});
    const std::size_t before = m_problems.all().size();
    if (m_after[from] == to) {
      m_problems.error(id(from), "", fmt::format("has two wires to `{}`", id(to)), remedy);
      return false;
    }
    for (const std::size_t end : {from, to})
      if (hasRole(end, NodeRole::Choice))
        m_problems.error(id(end), "", "a choice has no wires; it names its nodes", remedy);
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

  /// Reports the loops and removes a wire of each, so that walks along the wires end.
  void reportLoops() {
    constexpr std::size_t kMostReported = 16;
    std::size_t reported = 0;
    for (std::vector<Wire> loop = anyLoop(); !loop.empty(); loop = anyLoop()) {
      // Of a document with more of them, all wires are dropped: it needs more than one correction.
      if (++reported > kMostReported) return m_wires.clear();
      std::string text = id(loop.front().from);
      for (const Wire& wire : loop) {
        text += " -> " + id(wire.to);
        m_looped.push_back(wire.from);
      }
      const Wire extra = extraOf(loop);
      m_problems.error(id(extra.from), "", "the wires form a cycle: " + text,
                       "remove the wire " + named(extra));
      std::erase(m_wires, extra);
    }
  }

  /// The wires of a loop in their order; empty if there is none.
  std::vector<Wire> anyLoop() const {
    std::vector<std::vector<Wire>> outs(m_graph.nodes.size());
    for (const Wire& wire : m_wires) outs[wire.from].push_back(wire);
    std::vector<bool> done(outs.size(), false);
    std::vector<bool> onPath(outs.size(), false);
    std::vector<std::size_t> tried(outs.size(), 0);
    for (std::size_t start = 0; start < outs.size(); ++start) {
      std::vector<Wire> path;  // depth first: the wires from `start` to `at`
      std::size_t at = start;
      while (!done[at]) {
        onPath[at] = true;
        if (tried[at] < outs[at].size()) {
          const Wire& next = outs[at][tried[at]++];
          if (done[next.to]) continue;
          path.push_back(next);
          if (onPath[next.to]) return loopAtEndOf(path);
          at = next.to;
          continue;
        }
        done[at] = true;
        onPath[at] = false;
        if (path.empty()) break;
        at = path.back().from;
        path.pop_back();
      }
    }
    return {};
  }

  static std::vector<Wire> loopAtEndOf(const std::vector<Wire>& path) {
    const auto begin = std::ranges::find(path, path.back().to, &Wire::from);
    return {begin, path.end()};
  }

  /// The wire of a loop that is too many: it ends where another wire ends, or begins where another
  /// begins. In a loop without such a wire, the one that closes it.
  Wire extraOf(const std::vector<Wire>& loop) const {
    Wire extra = loop.front();
    int most = 0;
    for (const Wire& wire : loop) {
      const auto inputs = std::ranges::count(m_wires, wire.to, &Wire::to);
      const auto outputs = std::ranges::count(m_wires, wire.from, &Wire::from);
      const int spare = (inputs > 1 ? 1 : 0) + (outputs > 1 ? 1 : 0);
      if (spare <= most) continue;
      most = spare;
      extra = wire;
    }
    return extra;
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
    if (hasRole(chain.front(), NodeRole::Source) ||
        m_catalog.find(m_graph.nodes[chain.front()].kind) == nullptr)
      return chain;
    return joined(std::move(chain));
  }

  /// A chain that begins with no source, after the pieces that missing wires have cut from it.
  /// Reports these wires as one problem.
  std::vector<std::size_t> joined(std::vector<std::size_t> chain) {
    std::vector<std::size_t> whole = longestFromSource();
    const auto report = [&](std::string message, std::string remedy) {
      m_problems.error(id(chain.front()), "", std::move(message), std::move(remedy));
    };
    const std::string noInput = "no wire leads to it and it is not a source";
    if (whole.empty()) {
      report(noInput, "add a source and a wire from it");
      return chain;
    }
    std::vector<std::vector<std::size_t>> pieces = piecesBetween(whole, chain);
    pieces.push_back(chain);
    const std::size_t before = whole.back();
    std::vector<std::string> missing;
    for (const std::vector<std::size_t>& piece : pieces) {
      missing.push_back(named(Wire{whole.back(), piece.front()}));
      whole.insert(whole.end(), piece.begin(), piece.end());
    }
    if (pieces.size() == 1)
      report(noInput, fmt::format("add a wire from `{}` to `{}`", id(before), id(chain.front())));
    else
      report(fmt::format("missing wires cut the pipeline into {} pieces", pieces.size() + 1),
             "add the wires " + joinWords(missing));
    return whole;
  }

  /// What the wires make besides `begin` and `end`, in the order of the document. Nodes without a
  /// wire count only if no node has one: otherwise they may just lie aside.
  std::vector<std::vector<std::size_t>> piecesBetween(const std::vector<std::size_t>& begin,
                                                      const std::vector<std::size_t>& end) const {
    const bool noWires = begin.size() == 1 && end.size() == 1 && m_wires.empty();
    std::vector<std::vector<std::size_t>> pieces;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
      const bool isFirst = m_before[i] == kNoNode && m_graph.node(id(i)) == &m_graph.nodes[i];
      const bool isOther = hasRole(i, NodeRole::Source) || hasRole(i, NodeRole::Consumer) ||
                           hasRole(i, NodeRole::Choice);
      if (!isFirst || isOther || i == end.front() || std::ranges::count(m_looped, i) > 0) continue;
      if (noWires || m_after[i] != kNoNode) pieces.push_back(onwards(i));
    }
    return pieces;
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

  /// A node and all that the wires lead to from it.
  std::vector<std::size_t> onwards(std::size_t first) const {
    std::vector<std::size_t> path;
    for (std::size_t i = first; i != kNoNode; i = m_after[i]) path.push_back(i);
    return path;
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
      std::vector<std::size_t> chain = onwards(source);
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
      if (!runs && !looped && !duplicate && !hasRole(i, NodeRole::Choice))
        m_problems.warning(id(i), "", "not part of the chain that runs, so it has no effect",
                           "connect it or remove it");
    }
  }

  const Graph& m_graph;
  const Catalog& m_catalog;
  Problems& m_problems;
  std::vector<Wire> m_wires;
  std::vector<std::size_t> m_before;
  std::vector<std::size_t> m_after;
  std::vector<std::size_t> m_looped;
};

}  // namespace

std::vector<std::size_t> findChain(const Graph& graph, const Catalog& catalog, Problems& problems) {
  return Chains(graph, catalog, problems).find();
}

}  // namespace millrace
