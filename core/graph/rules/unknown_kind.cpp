// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/rules/unknown_kind.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/text.h"
#include "core/graph/json/param_json.h"
#include "core/spec/did_you_mean.h"

namespace millrace {

namespace {

/// The plug-in that the file names for the node; empty if it names none.
std::string pluginOf(const GraphNode& node) {
  const auto found = node.extras.find(kPluginKey);
  if (found == node.extras.end()) return {};
  const nlohmann::json name = jsonOf(found->second);
  return name.is_string() ? singleLine(name.get<std::string>()) : std::string();
}

}  // namespace

Problem unknownKind(const GraphNode& node, const Catalog& catalog, Severity severity) {
  const std::string plugin = pluginOf(node);
  Problem problem{severity, node.id, "kind", {}, {}};
  if (plugin.empty()) {
    problem.message = fmt::format("this version has no node kind `{}`", node.kind);
    problem.remedy = kindHint(catalog, node.kind);
  } else {
    problem.message = fmt::format(
        "the node kind `{}` comes from the plug-in `{}`, which is not here", node.kind, plugin);
    problem.remedy =
        "put its file into ~/.local/share/millrace/nodes, or name it in MILLRACE_NODES" +
        refusedHint(catalog);
  }
  return problem;
}

}  // namespace millrace
