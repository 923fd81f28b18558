// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/graph/json/graph_json.h"
#include "core/nodes/builtin.h"
#include "core/preview/preview_chain.h"
#include "tests/core/run/run_support.h"

namespace millrace::tests {

/// Options for a chain of lines `KIND {PARAMS}`; a node's id is its kind.
inline PreviewOptions previewOf(const std::string& chain, const std::string& node = {}) {
  PreviewOptions options;
  options.graph = *parseGraph(documentOf(chain), builtinCatalog()).graph;
  options.node = node;
  return options;
}

/// Why there is no plan; empty if there is one.
inline std::string refusalOf(const PreviewOptions& options) {
  KeptSource kept;
  const auto plan = previewPlan(options, kept);
  return plan ? std::string() : plan.error().message;
}

}  // namespace millrace::tests
