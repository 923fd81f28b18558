// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/data/sample.h"

namespace millrace {

/// That a node is applied to some samples only: a choice node names it. Value type.
struct NodeChoice {
  static constexpr std::size_t kMostNodes = 64;

  std::string id;         ///< of the choice node
  std::uint32_t key = 0;  ///< of its random draws: a hash of the id
  double probability = 1;
  std::size_t count = 1;        ///< how many of its nodes are applied when any is
  std::vector<double> weights;  ///< of its nodes, kMostNodes at most, as listed; 0: bypassed
  std::size_t place = 0;        ///< this node's in that list

  /// Whether every sample passes the node.
  bool isCertain() const;
  /// Whether this sample passes the node, drawn for each view of a picture (FieldSpec::view; 0: all
  /// of the sample). All nodes of a choice see the same draws: first whether any is applied, then
  /// which, without replacement and by weight. `noRandom`: draws are the centre of their range.
  bool applies(std::uint64_t seed, const SampleKey& key, int view, bool noRandom) const;
};

}  // namespace millrace
