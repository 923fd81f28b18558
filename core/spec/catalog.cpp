// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/spec/catalog.h"

#include "core/base/check.h"

namespace millrace {

void Catalog::add(NodeSpec spec) {
  MILLRACE_CHECK(find(spec.kind) == nullptr, "node kind added twice: " + spec.kind);
  m_all.push_back(std::move(spec));
}

const NodeSpec* Catalog::find(std::string_view kind) const {
  for (const NodeSpec& spec : m_all)
    if (spec.kind == kind) return &spec;
  return nullptr;
}

std::vector<std::string> Catalog::kinds() const {
  std::vector<std::string> kinds;
  for (const NodeSpec& spec : m_all) kinds.push_back(spec.kind);
  return kinds;
}

}  // namespace millrace
