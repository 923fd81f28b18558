// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analyse/differential.h"

namespace millrace {

/// What an edit means for training, the mildest first (CONTRACT §9).
enum class SampleChange : std::uint8_t { Nothing, Order, Batching, Values };
/// `nothing`, `order`, `batching`, `values`.
std::string_view nameOf(SampleChange change);

/// One thing to change. Value type.
struct Advice {
  enum class Edit : std::uint8_t {
    Words,      ///< nothing that a pipeline can say: `text` does
    Parameter,  ///< `node`.`param` from `from` to `to`
    AddCache,   ///< a memory cache behind `node` with the limit `to` in bytes
    MoveNode    ///< `node` goes in front of `to`
  };
  Edit edit = Edit::Words;
  std::string node;
  std::string param;
  std::string from;
  std::string to;
  std::string text;  ///< what it does, a sentence
  std::string costs;
  SampleChange changes = SampleChange::Nothing;

  /// "workers.count 2 -> 4"; empty for words.
  std::string editText() const;
};

/// The longest queue of finished batches that is advised or tried, and the memory that one may
/// take.
inline constexpr std::size_t kLongestQueue = 64;
inline constexpr double kMostQueueBytes = 1e9;

/// Where samples could be kept in memory: behind `node` nothing was drawn yet, and all of them fit.
struct CachePoint {
  std::string node;
  double bytes = 0;  ///< of the whole data set
  bool decoded = false;
};

/// A node of geometry that gives all pictures one size, and could do so in front of the colour
/// nodes which it follows.
struct MovePoint {
  std::string node;
  std::vector<std::string> passed;  ///< those, in their order
};

/// What a pipeline has room for.
struct AdvicePlaces {
  std::optional<CachePoint> cache;  ///< where the samples fit into memory
  std::vector<MovePoint> moves;
};

/// What to change, the best first; empty where nothing limits or it cannot be told. `gains`: what
/// probes showed already.
std::vector<Advice> adviceFor(const LimitFinding& finding, const RunCounters& counters,
                              const AdvicePlaces& places, const ProbedGains& gains = {});

}  // namespace millrace
