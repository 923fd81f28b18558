// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/setting_names.h"

#include "widgets/common/strings.h"
#include "widgets/models/node_display.h"

namespace millrace {

SettingNames::SettingNames(const Graph& graph, const Catalog& catalog) {
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* kind = catalog.find(node.kind);
    if (kind == nullptr) continue;
    const QString title = titleOf(node, kind);
    m_words[node.id] = title;
    for (const ParamSpec& param : kind->params)
      m_words[node.id + "." + param.name] = title + " › " + toQt(param.label);
  }
}

QString SettingNames::of(const std::string& path) const {
  const auto found = m_words.find(path);
  return found == m_words.end() ? toQt(path) : found->second;
}

}  // namespace millrace
