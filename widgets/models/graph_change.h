// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/graph/graph.h"

namespace millrace {

/// An edit's changes to a document, as values: enough to apply it, and to undo it so that the
/// document is equal to the byte. Holds no pointers.
class GraphChange {
 public:
  static GraphChange between(const Graph& before, const Graph& after);

  void apply(Graph& graph) const;
  void revert(Graph& graph) const;
  bool empty() const;

 private:
  /// At index `at`, `before` was replaced by `after`.
  template <class T>
  struct Splice {
    std::size_t at = 0;
    std::vector<T> before;
    std::vector<T> after;
  };
  template <class T>
  using Splices = std::vector<Splice<T>>;

  template <class T>
  static Splices<T> splices(const std::vector<T>& before, const std::vector<T>& after);
  template <class T>
  static void apply(const Splices<T>& splices, std::vector<T>& list);
  template <class T>
  static void revert(const Splices<T>& splices, std::vector<T>& list);

  Splices<GraphNode> m_nodes;
  Splices<GraphWire> m_wires;
  Splices<RawJson> m_groups;
  Splices<RawJson> m_comments;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> m_seed;
  std::optional<std::pair<Extras, Extras>> m_extras;
};

}  // namespace millrace
