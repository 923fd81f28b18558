// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// What a tuner is told of its axes, asks for, and is answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace millrace {

/// A setting: the level of each axis.
using TunePoint = std::vector<std::size_t>;

/// What the tuner may vary, as far as it needs to know.
struct TunerAxis {
  std::size_t levels = 1;
  std::size_t start = 0;  ///< of the pipeline as it is
  bool ordered = true;    ///< neighbours are alike; else each level stands for itself
  /// Log of the score that a model expects of a level against the start with all else as it is;
  /// empty, or absent: it says nothing. Below kWorthGain everywhere: the axis waits for the others.
  std::vector<std::optional<double>> expected = {};
};

/// Log of 1 %: less is no gain (the threshold of cedar's controller, Zhao et al., VLDB 2025).
inline constexpr double kWorthGain = 0.00995;

struct TunerSettings {
  double budgetSeconds = 120;
  double secondsPerTrial = 2.5;  ///< until one was told
  std::uint64_t seed = 0;        ///< of the order within blocks
  /// Of the start and the best, at the end; two suffice for a gain far above the scatter.
  std::size_t confirmBlocks = 5;
  std::size_t mostReplaced = 6;     ///< trials that are measured again (isReplaced)
  std::optional<double> ceiling{};  ///< no setting has a better score; absent: unknown
};

/// One measurement that the tuner asks for.
struct TunerTrial {
  std::size_t number = 0;  ///< of the point, from 0 in the order in which they came up
  TunePoint point;
  std::size_t repeat = 0;  ///< of this point, from 0
  std::size_t block = 0;
};

/// What became of it.
struct TunerTold {
  enum class Kind : std::uint8_t {
    Measured,
    OverLimit,  ///< it wants more than the budget of memory or cores allows
    Failed
  };
  Kind kind = Kind::Measured;
  double score = 0;        ///< of Measured: a logarithm, higher is better
  double seconds = 0;      ///< that it took in all
  bool disturbed = false;  ///< by other processes
};

enum class TunerEnd : std::uint8_t {
  Searching,
  NothingBetter,  ///< no neighbour of the best is better
  Budget,
  Ceiling,
  StartFails,   ///< the pipeline as it is fails, whatever its limits
  NothingFits,  ///< nothing that was tried stays within the limits
  Stopped
};

}  // namespace millrace
