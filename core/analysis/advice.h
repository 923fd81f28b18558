// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/differential.h"

namespace millrace {

/// What an edit changes for training, mildest first (docs/reference/command-line.md).
enum class SampleChange : std::uint8_t { Nothing, Order, Batching, Content };
/// `nothing`, `order`, `batching`, `values`.
std::string_view nameOf(SampleChange change);

/// One recommended change. Value type.
struct Advice {
  enum class Edit : std::uint8_t {
    Words,      ///< not an edit of the pipeline: only `text` applies
    Parameter,  ///< change `node`.`param` from `from` to `to`
    AddCache,   ///< add a memory cache after `node` with a limit of `to` bytes
    MoveNode    ///< move `node` before the node `to`
  };
  Edit edit = Edit::Words;
  std::string node;
  std::string param;
  std::string from;
  std::string to;
  std::string text;   ///< the effect, as a sentence
  std::string costs;  ///< what it costs, as a phrase: "memory for 2 more batches"
  SampleChange changes = SampleChange::Nothing;

  /// "workers.count 2 -> 4"; empty for Words.
  std::string editText() const;
};

/// Longest queue of finished batches that is advised or tried, and the most memory (bytes) for it.
inline constexpr std::size_t kLongestQueue = 64;
inline constexpr double kMostQueueBytes = 1e9;

/// Where samples could be cached in memory: no upstream node makes random draws, and all samples
/// fit.
struct CachePoint {
  std::string node;
  double bytes = 0;  ///< for the whole data set
  bool decoded = false;
};

/// A geometry node that gives all pictures one size and could be moved before the colour nodes
/// upstream of it.
struct MovePoint {
  std::string node;
  std::vector<std::string> passed;  ///< the colour nodes, in their order
};

/// Changes that a pipeline allows.
struct AdvicePlaces {
  std::optional<CachePoint> cache;  ///< nullopt if there is no such place
  std::vector<MovePoint> moves;
};

/// What to change, best first. Empty if nothing limits the run or the limit is not known. `gains`:
/// results of the probes, if any were run.
std::vector<Advice> adviceFor(const LimitFinding& finding, const RunCounters& counters,
                              const AdvicePlaces& places, const ProbedGains& gains = {});

}  // namespace millrace
