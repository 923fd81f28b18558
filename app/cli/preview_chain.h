// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/graph/plan.h"

namespace millrace::cli {

/// What a preview is asked for.
struct PreviewRequest {
  Graph graph;
  std::filesystem::path base;
  std::string node;         ///< empty: the last one that changes samples
  std::uint64_t first = 0;  ///< place in the order, counted on over the epochs
  std::size_t count = 8;    ///< 1 to kMostSamples
  bool noRandom = false;

  static constexpr std::size_t kMostSamples = 16;
};

/// The open source of the last preview: kept while its parameters stay, so that a folder is listed
/// once.
struct KeptSource {
  const NodeSpec* spec = nullptr;
  Values values;
  std::filesystem::path base;
  std::shared_ptr<const Source> source;
};

/// A pipeline cut off behind one node, whatever stands there or is still missing: threads, queues
/// and caches pass samples on as they are, and so does a batch behind which no node works on whole
/// batches. Nodes off the chain are not looked at.
Result<Plan> previewPlan(const PreviewRequest& request, KeptSource& kept);

}  // namespace millrace::cli
