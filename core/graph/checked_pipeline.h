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

/// A node of a pipeline that passed its check: complete values and the streams around it.
struct CheckedNode {
  std::string id;
  const NodeSpec* spec = nullptr;
  Values values;
  StreamType in;
  StreamType out;

  /// Key of the node's random draws: a hash of its id (CONTRACT §3).
  std::uint32_t drawKey() const;
};

/// The one chain that runs, from source to consumer, bypassed nodes left out. What `check` gives
/// and `plan` takes. Value type.
struct CheckedPipeline {
  std::uint64_t seed = 0;
  std::filesystem::path base;  ///< where relative paths start
  std::vector<CheckedNode> nodes;
  std::shared_ptr<const Source> source;  ///< open; nullptr when checked without data
  bool noRandom = false;                 ///< every draw is its centre (CONTRACT §6)
};

}  // namespace millrace
