// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/common/decoding.h"

#include "core/nodes/builtin.h"

namespace millrace {

Result<std::optional<DecodeStep>> decodingOf(const Graph& graph,
                                             const std::filesystem::path& base) {
  for (const GraphNode& node : graph.nodes) {
    const NodeSpec* spec = builtinCatalog().find(node.kind);
    if (spec == nullptr || spec->category != Category::Decode || spec->image == nullptr ||
        node.state != NodeState::On)
      continue;
    Values values = spec->defaults();
    for (const auto& [name, param] : node.params)
      if (const Value* value = std::get_if<Value>(&param)) values[name] = *value;
    BuildContext context;
    context.node = node.id;
    context.base = base;
    MILLRACE_ASSIGN_OR_RETURN(ImageStep step, spec->image(values, context));
    if (step.decode) return step.decode;
  }
  return std::optional<DecodeStep>();
}

}  // namespace millrace
