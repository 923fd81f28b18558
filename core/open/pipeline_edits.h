// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

/// Changes of a document's nodes, as users write them. Value.
struct PipelineEdits {
  std::vector<std::string> replace;  ///< NODE=KIND
  std::vector<std::string> insert;   ///< [NODE=]KIND:AFTER
  std::vector<std::string> remove;   ///< NODE
  std::vector<std::string> on;       ///< NODE
  std::vector<std::string> off;      ///< NODE

  bool any() const;
};

/// One kind of change: its name ("insert"; the flag is `--insert`), and what it does.
struct PipelineEditKind {
  std::string_view name;
  std::vector<std::string> PipelineEdits::* texts;
  std::string_view form;  ///< "[NODE=]KIND:AFTER"
  std::string_view help;
  /// The error says what is wrong with the text, and which names are valid.
  Result<Graph> (*apply)(Graph graph, const Catalog& catalog, std::string_view text);
};

/// All kinds, in the order in which they are applied.
std::span<const PipelineEditKind> pipelineEditKinds();

/// The document with an emulated training step of this length instead of its consumer.
Result<Graph> withStep(Graph graph, const Catalog& catalog, double seconds);

}  // namespace millrace
