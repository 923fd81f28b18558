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
  std::filesystem::path base;  ///< where relative paths start: the file's folder
  /// Looks at paths and opens the source, whose fields and size then refine the streams. Off: no
  /// file is touched.
  bool openData = false;
  /// Every draw is its centre (`--no-random`, CONTRACT §6).
  bool noRandom = false;
  /// Whether nodes may look for a device, or must do without.
  DeviceUse device = DeviceUse::Look;
  std::size_t cores = 0;  ///< for the advice on threads; 0: those of this machine
};

/// What is known about the stream at one node of the chain, also when there are errors: then as
/// good a guess as can be made.
struct NodeStream {
  NodeId id;
  StreamType in;
  StreamType out;
};

struct CheckResult {
  /// Everything that is wrong, at once: first the document, then along the chain, then the rest.
  Problems problems;
  std::vector<NodeStream> streams;          ///< along the chain, bypassed nodes left out
  std::optional<CheckedPipeline> pipeline;  ///< when there is no error
};

/// Checks a pipeline as a whole (DESIGN §2): ids, kinds, parameters, wires, the one chain that
/// runs, the stream on every wire, the places that nodes may have in the chain, and with
/// `openData` the data. Nodes that do not run (loose or bypassed) give warnings only. `catalog`
/// outlives the result. Reentrant; never throws; with `openData` it may read a whole listing.
CheckResult checkGraph(const Graph& graph, const Catalog& catalog, const CheckOptions& options);

}  // namespace millrace
