// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

/// The position of a loader, and what its batches depend on. Value type.
struct LoaderState {
  std::uint32_t epoch = 0;
  /// Number of the epoch's samples that the processes together have delivered, if all of them have
  /// delivered as many batches as this one.
  std::uint64_t samples = 0;
  /// Version 1 of the text has the number of the next batch instead of `samples`.
  std::optional<std::uint64_t> batch;
  Graph graph;  ///< without the parts that only the workbench uses
  bool noRandom = false;
  std::string data;  ///< digest of the samples' names, and their number
};

/// One line of JSON. Contains the data's paths for information; they may differ on restore.
std::string stateText(const LoaderState& state, const Catalog& catalog);
/// The error says what is wrong with the text. Safe for untrusted text.
Result<LoaderState> parseState(const std::string& text, const Catalog& catalog);

/// Why the batches of `now` do not continue those of `then`, one reason per line: a different seed,
/// node or parameter that batches depend on, or different data. Empty if they do. Ignores threads,
/// queues, caches, the consumer, data paths and parameters that only affect speed; and, if `then`
/// counts samples and no order node follows the shard node, the size of batches, the rank and the
/// number of processes.
std::vector<std::string> stateDifferences(const LoaderState& then, const LoaderState& now,
                                          const Catalog& catalog);

}  // namespace millrace
