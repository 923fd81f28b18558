// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inspect/setting_flags.h"

#include <fmt/format.h>

#include "core/graph/edit/graph_edit.h"
#include "core/nodes/builtin.h"

namespace millrace::cli {

std::string withSettingFlags(std::string_view text, const Graph& proposal) {
  const GraphNode* source = firstSource(proposal, builtinCatalog());
  if (source == nullptr) return std::string(text);
  const NodeSpec& spec = *builtinCatalog().find(source->kind);
  std::string all;
  while (!text.empty()) {
    const std::size_t open = text.find('`');
    const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
    if (close == std::string_view::npos) break;
    const std::string_view quoted = text.substr(open + 1, close - open - 1);
    const std::size_t equals = quoted.find('=');
    const bool isSetting =
        equals != std::string_view::npos && spec.param(quoted.substr(0, equals)) != nullptr;
    all += text.substr(0, open + 1);
    if (isSetting) all += fmt::format("--set {}.", source->id);
    all += quoted;
    all += '`';
    text.remove_prefix(close + 1);
  }
  all += text;
  return all;
}

void takeSettingFlags(Inspection& found) {
  if (!found.proposal) return;
  found.description = withSettingFlags(found.description, *found.proposal);
  for (std::string& warning : found.survey->warnings)
    warning = withSettingFlags(warning, *found.proposal);
}

}  // namespace millrace::cli
