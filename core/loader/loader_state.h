// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"

namespace millrace {

/// Where a loader stands and of what. Value type.
struct LoaderState {
  std::uint32_t epoch = 0;
  std::uint64_t batch = 0;  ///< of the epoch, that comes next
  Graph graph;              ///< without what only the workbench reads
  bool noRandom = false;
  std::string data;  ///< digest of the samples' names and their number
};

/// One line of JSON. Files of a data set may have moved: their paths are in it, for a person.
std::string stateText(const LoaderState& state, const Catalog& catalog);
/// The error says what is wrong with the text. Foreign text does no harm.
Result<LoaderState> parseState(const std::string& text, const Catalog& catalog);

/// Why batches of `now` do not go on where those of `then` stopped, a line each: another seed,
/// node or parameter that a batch depends on, another data set. Empty: they do. Threads, queues,
/// caches, the consumer, paths of data and parameters that change speed alone are left out.
std::vector<std::string> stateDifferences(const LoaderState& then, const LoaderState& now,
                                          const Catalog& catalog);

}  // namespace millrace
