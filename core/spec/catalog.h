// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/spec/node_spec.h"

namespace millrace {

/// The available node kinds. Constant once it is built; any thread may use it then.
class Catalog {
 public:
  void add(NodeSpec spec);
  /// nullptr if there is no such kind.
  const NodeSpec* find(std::string_view kind) const;
  /// In the order of nodes.def, then those of plug-ins.
  const std::vector<NodeSpec>& all() const { return m_all; }
  std::vector<std::string> kinds() const;

  /// Notes why a plug-in, or one of its kinds, is not here: a sentence that names its file.
  void refuse(std::string reason) { m_refused.push_back(std::move(reason)); }
  const std::vector<std::string>& refused() const { return m_refused; }

 private:
  std::vector<NodeSpec> m_all;
  std::vector<std::string> m_refused;
};

}  // namespace millrace
