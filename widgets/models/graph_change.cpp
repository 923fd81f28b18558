// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/graph_change.h"

#include <algorithm>
#include <ranges>

namespace millrace {

namespace {

template <class T>
void replaceRange(std::vector<T>& list, std::size_t at, std::size_t count,
                  const std::vector<T>& with) {
  const auto begin = list.begin() + static_cast<std::ptrdiff_t>(at);
  const auto rest = list.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
  list.insert(rest, with.begin(), with.end());
}

}  // namespace

template <class T>
GraphChange::Splices<T> GraphChange::splices(const std::vector<T>& before,
                                             const std::vector<T>& after) {
  Splices<T> all;
  if (before.size() == after.size()) {
    // Elements changed in place: one splice for each, so that the elements between distant changes
    // are not stored.
    for (std::size_t i = 0; i < before.size(); ++i)
      if (!(before[i] == after[i])) all.push_back({i, {before[i]}, {after[i]}});
    return all;
  }
  const auto [firstBefore, firstAfter] = std::ranges::mismatch(before, after);
  auto lastBefore = before.end();
  auto lastAfter = after.end();
  while (lastBefore != firstBefore && lastAfter != firstAfter &&
         *std::prev(lastBefore) == *std::prev(lastAfter)) {
    --lastBefore;
    --lastAfter;
  }
  all.push_back({static_cast<std::size_t>(firstBefore - before.begin()),
                 {firstBefore, lastBefore},
                 {firstAfter, lastAfter}});
  return all;
}

template <class T>
void GraphChange::apply(const Splices<T>& splices, std::vector<T>& list) {
  for (const Splice<T>& splice : splices)
    replaceRange(list, splice.at, splice.before.size(), splice.after);
}

template <class T>
void GraphChange::revert(const Splices<T>& splices, std::vector<T>& list) {
  for (auto splice = splices.rbegin(); splice != splices.rend(); ++splice)
    replaceRange(list, splice->at, splice->after.size(), splice->before);
}

GraphChange GraphChange::between(const Graph& before, const Graph& after) {
  GraphChange change;
  change.m_nodes = splices(before.nodes, after.nodes);
  change.m_wires = splices(before.wires, after.wires);
  change.m_groups = splices(before.groups, after.groups);
  change.m_comments = splices(before.comments, after.comments);
  if (before.seed != after.seed) change.m_seed = {before.seed, after.seed};
  if (before.extras != after.extras) change.m_extras = {before.extras, after.extras};
  return change;
}

void GraphChange::apply(Graph& graph) const {
  apply(m_nodes, graph.nodes);
  apply(m_wires, graph.wires);
  apply(m_groups, graph.groups);
  apply(m_comments, graph.comments);
  if (m_seed) graph.seed = m_seed->second;
  if (m_extras) graph.extras = m_extras->second;
}

void GraphChange::revert(Graph& graph) const {
  revert(m_nodes, graph.nodes);
  revert(m_wires, graph.wires);
  revert(m_groups, graph.groups);
  revert(m_comments, graph.comments);
  if (m_seed) graph.seed = m_seed->first;
  if (m_extras) graph.extras = m_extras->first;
}

bool GraphChange::empty() const {
  return m_nodes.empty() && m_wires.empty() && m_groups.empty() && m_comments.empty() && !m_seed &&
         !m_extras;
}

}  // namespace millrace
