// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/spec/node_spec.h"

namespace millrace {

/// A node of a checked pipeline, with a value for each parameter and its input and output streams.
struct CheckedNode {
  std::string id;
  const NodeSpec* spec = nullptr;
  Values values;
  StreamType in;
  StreamType out;

  /// Key of the node's random draws: a hash of its id (docs/reference/order-and-randomness.md).
  std::uint32_t drawKey() const;
};

/// The chain that runs, from source to consumer, without bypassed nodes. Result of `checkGraph` and
/// input of `makePlan`. Value type.
struct CheckedPipeline {
  std::uint64_t seed = 0;
  std::filesystem::path base;  ///< where relative paths start
  std::vector<CheckedNode> nodes;
  std::shared_ptr<const Source> source;  ///< open; nullptr if checked without data
  bool noRandom = false;                 ///< every draw returns its centre (`--no-random`)
};

}  // namespace millrace
