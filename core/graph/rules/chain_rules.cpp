// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/chain_rules.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace millrace {

namespace {

class Places {
 public:
  Places(const std::vector<CheckedNode>& nodes, const Catalog& catalog, std::size_t cores,
         Problems& problems)
      : m_nodes(nodes), m_catalog(catalog), m_cores(cores), m_problems(problems) {
    for (const Problem& problem : problems.all())
      if (problem.severity == Severity::Error) m_reported.insert(problem.node);
  }

  void check() {
    for (std::size_t i = 0; i < m_nodes.size(); ++i) checkPlace(i);
  }

 private:
  void checkPlace(std::size_t i) {
    switch (m_nodes[i].spec->role) {
      case NodeRole::Order: return checkOrder(i);
      case NodeRole::Cache: return checkCache(i);
      case NodeRole::Workers: return checkWorkers(i);
      case NodeRole::Batch: return checkBatch(i);
      case NodeRole::Prefetch: return needBatches(i, "holds finished batches");
      case NodeRole::Transfer: return needBatches(i, "moves whole batches");
      case NodeRole::BatchOp: return needBatches(i, "works on whole batches");
      case NodeRole::Consumer: return needBatches(i, "takes batches");
      case NodeRole::Source:
      case NodeRole::Image:
      case NodeRole::Sample:
      case NodeRole::Choice: return;
    }
  }

  void checkOrder(std::size_t i) {
    const auto fits = [](const CheckedNode& node) {
      return node.spec->role == NodeRole::Source || node.spec->role == NodeRole::Order;
    };
    const auto other = std::find_if_not(m_nodes.begin(), m_nodes.begin() + index(i), fits);
    if (other == m_nodes.begin() + index(i)) return;
    error(i, fmt::format("selects samples before they are read, but comes after `{}`", other->id),
          fmt::format("move it before `{}`, directly after the source", other->id));
  }

  void checkCache(std::size_t i) {
    const std::string& random = m_nodes[i].in.randomFrom;
    if (random.empty()) return;
    error(i, fmt::format("would store one random draw of `{}` and reuse it in all epochs", random),
          fmt::format("move it before `{}`", random));
  }

  void checkWorkers(std::size_t i) {
    const CheckedNode& node = m_nodes[i];
    // A wrong parameter was replaced by its default, about which nothing is to be said.
    if (m_reported.contains(node.id)) return;
    const auto isWorkers = [](const CheckedNode& n) { return n.spec->role == NodeRole::Workers; };
    const auto count = static_cast<std::size_t>(node.spec->workers(node.values).count);
    if (count > m_cores)
      m_problems.warning(node.id, "count", fmt::format("{} threads on {} cores", count, m_cores),
                         "more threads than cores help only if they wait for the disk");
    if (i > 0 && isWorkers(m_nodes[i - 1]))
      m_problems.warning(node.id, "",
                         fmt::format("nothing runs on the threads of `{}`", m_nodes[i - 1].id),
                         fmt::format("remove `{}`", m_nodes[i - 1].id));
  }

  void checkBatch(std::size_t i) {
    const std::string* first = batchBefore(i);
    if (first != nullptr)
      error(i, fmt::format("`{}` already makes batches", *first),
            fmt::format("remove `{}` or `{}`", *first, m_nodes[i].id));
  }

  void needBatches(std::size_t i, const char* what) {
    if (batchBefore(i) != nullptr) return;
    const auto later =
        std::find_if(m_nodes.begin() + index(i), m_nodes.end(),
                     [](const CheckedNode& node) { return node.spec->role == NodeRole::Batch; });
    error(i, fmt::format("{}, but gets single samples", what),
          later != m_nodes.end() ? fmt::format("move it after `{}`", later->id)
                                 : "insert a " + batchKind() + " node before it");
  }

  std::string batchKind() const {
    for (const NodeSpec& spec : m_catalog.all())
      if (spec.role == NodeRole::Batch) return "`" + spec.kind + "`";
    return "batch";
  }

  const std::string* batchBefore(std::size_t i) const {
    for (std::size_t k = 0; k < i; ++k)
      if (m_nodes[k].spec->role == NodeRole::Batch) return &m_nodes[k].id;
    return nullptr;
  }

  static std::ptrdiff_t index(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  void error(std::size_t i, std::string message, std::string remedy) {
    if (m_reported.count(m_nodes[i].id) == 0)
      m_problems.error(m_nodes[i].id, "", std::move(message), std::move(remedy));
  }

  const std::vector<CheckedNode>& m_nodes;
  const Catalog& m_catalog;
  std::size_t m_cores;
  Problems& m_problems;
  std::set<std::string> m_reported;
};

}  // namespace

void checkPlaces(const std::vector<CheckedNode>& nodes, const Catalog& catalog, std::size_t cores,
                 Problems& problems) {
  Places(nodes, catalog, cores, problems).check();
}

}  // namespace millrace
