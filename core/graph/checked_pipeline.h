// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/node_choice.h"
#include "core/spec/node_spec.h"

namespace millrace {

/// A node of a checked pipeline, with a value for each parameter and its input and output streams.
struct CheckedNode {
  std::string id;
  const NodeSpec* spec = nullptr;
  Values values;
  StreamType in;
  StreamType out;

  /// Set if some samples may skip the node.
  std::optional<NodeChoice> choice = std::nullopt;

  /// Key of the node's random draws: a hash of its id (docs/reference/order-and-randomness.md).
  std::uint32_t drawKey() const;
};

/// The key of the random draws of the node with this id.
std::uint32_t drawKeyOf(std::string_view id);

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
