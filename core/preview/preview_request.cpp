// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/preview/preview_request.h"

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"

namespace millrace {

Result<PreviewOptions> optionsOf(const PreviewRequest& request) {
  ReadGraph read = parseGraph(request.pipeline, builtinCatalog());
  if (!read.graph)
    return Error{read.problems.all().empty() ? "no pipeline" : read.problems.all().front().text()};
  PreviewOptions options;
  options.graph = std::move(*read.graph);
  if (request.seed) options.graph.seed = *request.seed;
  options.base = request.base.empty() ? std::filesystem::current_path() : request.base;
  options.node = request.node;
  options.first = request.first;
  options.count = static_cast<std::size_t>(request.count);
  options.side = request.side;
  options.values = request.values;
  return options;
}

}  // namespace millrace
