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
#include "core/preview/preview_field.h"

namespace millrace {

/// Which samples of a pipeline are made, and after which node.
struct PreviewOptions {
  Graph graph;
  std::filesystem::path base;
  std::string node;         ///< empty: the last one that changes samples
  std::uint64_t first = 0;  ///< index in the order, counted across epochs
  std::size_t count = 8;    ///< 1 to kMostSamples
  bool noRandom = false;
  int side = kPreviewSide;  ///< longest side of a picture, up to kMostPreviewSide
  bool values = false;      ///< also the values of pictures

  static constexpr std::size_t kMostSamples = 16;
};

/// The open source of the last preview, kept while its parameters do not change, so that a folder
/// is listed only once.
struct KeptSource {
  const NodeSpec* spec = nullptr;
  Values values;
  std::filesystem::path base;
  std::shared_ptr<const Source> source;
};

/// A pipeline cut off after one node, whatever follows or is still missing. Threads, queues and
/// caches do not affect samples; neither does a batch node that no batch operation follows. Nodes
/// off the chain are ignored.
Result<Plan> previewPlan(const PreviewOptions& request, KeptSource& kept);

}  // namespace millrace
