// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/diff/graph_diff.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/graph/chain.h"

namespace millrace {

namespace {

constexpr std::size_t kNoPartner = static_cast<std::size_t>(-1);
using Ends = std::pair<NodeId, NodeId>;

/// The nodes of a document as a sequence: the chain that runs, then the others in file order.
class Sequence {
 public:
  Sequence(const Graph& graph, const Catalog& catalog) : m_graph(graph) {
    Problems ignored;
    m_nodes = findChain(graph, catalog, ignored);
    std::vector<bool> seen(graph.nodes.size(), false);
    for (const std::size_t i : m_nodes) seen[i] = true;
    m_chain = m_nodes.size();
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (!seen[i]) m_nodes.push_back(i);
    partner.assign(m_nodes.size(), kNoPartner);
  }

  std::size_t size() const { return m_nodes.size(); }
  const GraphNode& at(std::size_t place) const { return m_graph.nodes[m_nodes[place]]; }
  bool inChain(std::size_t place) const { return place < m_chain; }
  /// Id of the previous node; empty at the beginning and outside the chain.
  NodeId predecessor(std::size_t place) const {
    return place == 0 || !inChain(place) ? NodeId() : at(place - 1).id;
  }
  /// The partner of the nearest previous node that has one.
  std::size_t anchor(std::size_t place) const {
    while (place-- > 0)
      if (partner[place] != kNoPartner) return partner[place];
    return kNoPartner;
  }

  /// For each position, that of the matching node in the other sequence.
  std::vector<std::size_t> partner;

 private:
  const Graph& m_graph;
  std::vector<std::size_t> m_nodes;
  std::size_t m_chain = 0;
};

void pair(Sequence& before, std::size_t b, Sequence& after, std::size_t a) {
  before.partner[b] = a;
  after.partner[a] = b;
}

void pairByIdAndKind(Sequence& before, Sequence& after) {
  for (std::size_t a = 0; a < after.size(); ++a)
    for (std::size_t b = 0; b < before.size(); ++b) {
      if (before.partner[b] != kNoPartner || before.at(b).id != after.at(a).id ||
          before.at(b).kind != after.at(a).kind)
        continue;
      pair(before, b, after, a);
      break;
    }
}

/// Matches nodes of one kind that follow the same matched node: they count as renamed.
void pairRenamed(Sequence& before, Sequence& after) {
  for (std::size_t a = 0; a < after.size() && after.inChain(a); ++a) {
    if (after.partner[a] != kNoPartner) continue;
    const std::size_t anchor = after.anchor(a);
    for (std::size_t b = anchor == kNoPartner ? 0 : anchor + 1; b < before.size(); ++b) {
      if (before.partner[b] != kNoPartner || !before.inChain(b)) break;
      if (before.at(b).kind != after.at(a).kind) continue;
      pair(before, b, after, a);
      break;
    }
  }
}

/// The matched positions of `after` that are not part of the longest sequence in unchanged order.
std::vector<bool> movedPlaces(const Sequence& after) {
  std::vector<std::size_t> places;
  for (std::size_t a = 0; a < after.size(); ++a)
    if (after.partner[a] != kNoPartner && after.inChain(a)) places.push_back(a);
  std::vector<std::size_t> length(places.size(), 1);
  std::vector<std::size_t> previous(places.size(), kNoPartner);
  std::size_t best = kNoPartner;
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (after.partner[places[j]] < after.partner[places[i]] && length[j] + 1 > length[i]) {
        length[i] = length[j] + 1;
        previous[i] = j;
      }
    if (best == kNoPartner || length[i] > length[best]) best = i;
  }
  std::vector<bool> moved(after.size(), false);
  for (const std::size_t place : places) moved[place] = true;
  for (std::size_t i = best; i != kNoPartner; i = previous[i]) moved[places[i]] = false;
  return moved;
}

/// The values that a node runs with: those of the document, else the kind's defaults.
std::map<std::string, ParamValue> valuesOf(const GraphNode& node, const NodeSpec* spec) {
  std::map<std::string, ParamValue> values(node.params.begin(), node.params.end());
  if (spec != nullptr)
    for (const ParamSpec& param : spec->params) values.try_emplace(param.name, param.defaultValue);
  return values;
}

std::vector<ParamDiff> changedParams(const GraphNode& before, const GraphNode& after,
                                     const NodeSpec* spec) {
  const auto old = valuesOf(before, spec);
  auto rest = valuesOf(after, spec);
  std::vector<ParamDiff> changed;
  for (const auto& [name, value] : old) {
    const auto found = rest.find(name);
    if (found == rest.end())
      changed.push_back({name, value, std::nullopt});
    else if (found->second != value)
      changed.push_back({name, value, found->second});
    rest.erase(name);
  }
  for (const auto& [name, value] : rest) changed.push_back({name, std::nullopt, value});
  std::ranges::sort(changed, {}, &ParamDiff::param);
  return changed;
}

std::vector<ParamDiff> tellingParams(const GraphNode& node, const NodeSpec* spec, bool added) {
  std::vector<ParamDiff> telling;
  for (const auto& [name, value] : node.params) {
    const ParamSpec* param = spec == nullptr ? nullptr : spec->param(name);
    if (param != nullptr && value == ParamValue{param->defaultValue}) continue;
    ParamDiff diff{name, {}, {}};
    (added ? diff.after : diff.before) = value;
    telling.push_back(std::move(diff));
  }
  return telling;
}

class Differ {
 public:
  Differ(const Graph& before, const Graph& after, const Catalog& catalog)
      : m_old(before),
        m_new(after),
        m_catalog(catalog),
        m_before(before, catalog),
        m_after(after, catalog) {}

  GraphDiff diff() {
    pairByIdAndKind(m_before, m_after);
    pairRenamed(m_before, m_after);
    m_moved = movedPlaces(m_after);
    for (std::size_t a = 0; a < m_after.size(); ++a)
      m_diff.nodes.push_back(m_after.partner[a] == kNoPartner ? added(a) : kept(a));
    for (std::size_t b = m_before.size(); b-- > 0;)
      if (m_before.partner[b] == kNoPartner) insertRemoved(b);
    diffWires();
    m_diff.seedBefore = m_old.seed;
    m_diff.seedAfter = m_new.seed;
    return std::move(m_diff);
  }

 private:
  NodeDiff added(std::size_t a) {
    const GraphNode& node = m_after.at(a);
    m_passed.insert(node.id);
    NodeDiff diff{NodeFate::Added, {},         node.id, node.kind, {},
                  node.state,      node.state, false,   {},        m_after.predecessor(a)};
    diff.params = tellingParams(node, m_catalog.find(node.kind), true);
    return diff;
  }

  NodeDiff kept(std::size_t a) {
    const std::size_t b = m_after.partner[a];
    const GraphNode& before = m_before.at(b);
    const GraphNode& after = m_after.at(a);
    m_renamed[before.id] = after.id;
    NodeDiff diff{NodeFate::Same,
                  before.id,
                  after.id,
                  after.kind,
                  {},
                  before.state,
                  after.state,
                  m_moved[a],
                  m_before.predecessor(b),
                  m_after.predecessor(a)};
    diff.params = changedParams(before, after, m_catalog.find(after.kind));
    if (!diff.params.empty() || before.state != after.state || before.id != after.id || m_moved[a])
      diff.fate = NodeFate::Changed;
    if (m_moved[a]) m_passed.insert(after.id);
    return diff;
  }

  /// Inserts it after its former predecessor. Called from the last node to the first, so that
  /// several keep their order.
  void insertRemoved(std::size_t b) {
    const GraphNode& node = m_before.at(b);
    // Not an id of the later document, where another node may have the same id.
    m_renamed[node.id] = "-" + node.id;
    m_passed.insert(m_renamed[node.id]);
    NodeDiff diff{
        NodeFate::Removed,       node.id, {}, node.kind, {}, node.state, node.state, false,
        m_before.predecessor(b), {}};
    diff.params = tellingParams(node, m_catalog.find(node.kind), false);
    const std::size_t anchor = m_before.anchor(b);
    auto at = m_diff.nodes.begin();
    if (anchor != kNoPartner)
      at = std::ranges::find(m_diff.nodes, m_after.at(anchor).id, &NodeDiff::after) + 1;
    m_diff.nodes.insert(at, std::move(diff));
  }

  /// The id by which `m_passed` and the later document's wires refer to an earlier node.
  NodeId renamed(const NodeId& id) const {
    const auto found = m_renamed.find(id);
    return found == m_renamed.end() ? id : found->second;
  }

  void diffWires() {
    std::set<Ends> before;
    std::set<Ends> after;
    for (const GraphWire& wire : m_old.wires) before.insert({renamed(wire.from), renamed(wire.to)});
    for (const GraphWire& wire : m_new.wires) after.insert({wire.from, wire.to});
    for (const GraphWire& wire : m_old.wires)
      if (!after.contains({renamed(wire.from), renamed(wire.to)}))
        m_diff.wiresRemoved.push_back({wire.from, wire.to, {}});
    for (const GraphWire& wire : m_new.wires)
      if (!before.contains({wire.from, wire.to}))
        m_diff.wiresAdded.push_back({wire.from, wire.to, {}});
    const std::set<Ends> shortBefore = bridged(std::move(before));
    const std::set<Ends> shortAfter = bridged(std::move(after));
    for (const Ends& wire : shortBefore)
      if (!shortAfter.contains(wire))
        m_diff.loneWiresRemoved.push_back({wire.first, wire.second, {}});
    for (const Ends& wire : shortAfter)
      if (!shortBefore.contains(wire))
        m_diff.loneWiresAdded.push_back({wire.first, wire.second, {}});
  }

  /// The wires as if added, removed and moved nodes did not exist.
  std::set<Ends> bridged(std::set<Ends> wires) const {
    for (const NodeId& id : m_passed) {
      std::set<NodeId> from;
      std::set<NodeId> to;
      for (auto wire = wires.begin(); wire != wires.end();) {
        if (wire->second == id && wire->first != id) from.insert(wire->first);
        if (wire->first == id && wire->second != id) to.insert(wire->second);
        wire = wire->first == id || wire->second == id ? wires.erase(wire) : std::next(wire);
      }
      for (const NodeId& one : from)
        for (const NodeId& other : to) wires.insert({one, other});
    }
    return wires;
  }

  const Graph& m_old;
  const Graph& m_new;
  const Catalog& m_catalog;
  Sequence m_before;
  Sequence m_after;
  std::vector<bool> m_moved;
  std::map<NodeId, NodeId> m_renamed;
  std::set<NodeId> m_passed;  ///< added, removed or moved
  GraphDiff m_diff;
};

}  // namespace

bool GraphDiff::same() const {
  return count(NodeFate::Same) == nodes.size() && wiresAdded.empty() && wiresRemoved.empty() &&
         seedBefore == seedAfter;
}

std::size_t GraphDiff::count(NodeFate fate) const {
  return static_cast<std::size_t>(std::ranges::count(nodes, fate, &NodeDiff::fate));
}

GraphDiff diffGraphs(const Graph& before, const Graph& after, const Catalog& catalog) {
  return Differ(before, after, catalog).diff();
}

}  // namespace millrace
