// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "core/graph/checked_pipeline.h"
#include "core/graph/graph.h"
#include "core/spec/problem.h"

namespace millrace {

struct CheckOptions {
  std::filesystem::path base;  ///< start of relative paths: the file's folder
  /// Check paths and open the source; its fields and size then refine the streams. Off: no file is
  /// accessed.
  bool openData = false;
  /// Every draw returns its centre (`--no-random`, docs/reference/order-and-randomness.md).
  bool noRandom = false;
  /// Whether nodes may look for a device, or must do without one.
  DeviceUse device = DeviceUse::Detect;
  std::size_t cores = 0;  ///< for the advice on threads; 0: the cores of this machine
};

/// The streams of one node of the chain. If there are errors, the best guess at them.
struct NodeStream {
  NodeId id;
  StreamType in;
  StreamType out;
};

struct CheckResult {
  /// All problems: first those of the document, then along the chain, then the rest.
  Problems problems;
  std::vector<NodeStream> streams;          ///< along the chain, without bypassed nodes
  std::optional<CheckedPipeline> pipeline;  ///< set if there is no error
};

/// Checks a whole pipeline (docs/reference/pipeline-file.md): ids, kinds, parameters, wires, the
/// chain that runs, the stream on every wire, the positions of nodes in the chain, and with
/// `openData` the data. Nodes that do not run (loose or bypassed) only give warnings. `catalog`
/// must outlive the result. Reentrant; never throws; with `openData` it may scan all data.
CheckResult checkGraph(const Graph& graph, const Catalog& catalog, const CheckOptions& options);

}  // namespace millrace
