// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Types of the tuner: its axes, settings, trials and observations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace millrace {

/// A setting: the level of each axis.
using TunePoint = std::vector<std::size_t>;

/// An axis as far as the tuner needs to know it.
struct TunerAxis {
  std::size_t levels = 1;
  std::size_t start = 0;  ///< level of the baseline
  bool ordered = true;    ///< neighbouring levels are similar; else levels are independent
  /// Gain in score (a logarithm) that a model expects of each level against the start, all else
  /// unchanged; empty or nullopt: no prediction. If it is below kMinGain everywhere, the axis is
  /// tried after the others.
  std::vector<std::optional<double>> expected = {};
};

/// Logarithm of 1 %: a smaller gain does not count (threshold of cedar's controller, Zhao et al.,
/// VLDB 2025).
inline constexpr double kMinGain = 0.00995;

struct TunerSettings {
  double budgetSeconds = 120;
  double secondsPerTrial = 2.5;  ///< assumed until one was measured
  std::uint64_t seed = 0;        ///< for the order within blocks
  /// Blocks of the start and the best at the end; two are enough for a gain far above the noise.
  std::size_t confirmBlocks = 5;
  std::size_t mostReplaced = 6;     ///< trials that are measured again (isReplaced)
  std::optional<double> ceiling{};  ///< upper limit of the score; absent if not known
};

/// One measurement that the tuner asks for.
struct TunerTrial {
  std::size_t number = 0;  ///< of the point, from 0 in the order in which points were proposed
  TunePoint point;
  std::size_t repeat = 0;  ///< of this point, from 0
  std::size_t block = 0;
};

/// Result of a trial.
struct TunerObservation {
  enum class Kind : std::uint8_t {
    Measured,
    OverLimit,  ///< it needs more memory or cores than allowed
    Failed
  };
  Kind kind = Kind::Measured;
  double score = 0;        ///< if Measured: a logarithm, higher is better
  double seconds = 0;      ///< its total duration
  bool disturbed = false;  ///< by other processes
};

enum class TunerEnd : std::uint8_t {
  Searching,
  NothingBetter,  ///< no neighbour of the best point is better
  Budget,
  Ceiling,
  StartFails,   ///< the baseline fails, not because of the limits
  NothingFits,  ///< no tried setting stays within the limits
  Stopped
};

}  // namespace millrace
