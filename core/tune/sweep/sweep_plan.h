// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tune/sweep/vary.h"

namespace millrace {

/// Which points of the grid a sweep measures.
struct SweepDesign {
  enum class Kind : std::uint8_t {
    Full,    ///< all of them
    Random,  ///< `count` different points; every set of points is equally likely
    /// `count` points by Latin hypercube: every parameter's range is divided into `count` strata,
    /// and each stratum is used once (McKay, Beckman and Conover, Technometrics 1979). Points that
    /// coincide on the grid are measured once, so there may be fewer.
    Latin
  };
  Kind kind = Kind::Full;
  std::size_t count = 0;

  bool operator==(const SweepDesign&) const = default;
};
/// "full", "random:20", "latin:20".
Result<SweepDesign> parseDesign(std::string_view text);
std::string textOf(const SweepDesign& design);

/// One setting of the varied parameters: value i belongs to axis i.
struct SweepPoint {
  std::vector<Value> values;
  bool current = false;  ///< the setting in the document
  bool designed = true;  ///< false: the current setting, added although it is not in the design
};

/// What a sweep will measure, known before its first trial. Value type.
struct SweepPlan {
  std::vector<SweepAxis> axes;
  SweepDesign design;
  std::uint64_t seed = 0;
  /// Sorted by the axes, the first changing slowest; always includes the current setting.
  std::vector<SweepPoint> points;

  std::size_t current() const;
  /// "workers.count=2 batch.size=32".
  std::string settings(std::size_t point) const;
  /// Whether the whole grid is measured.
  bool fullGrid() const;
};

/// Largest number of points of a sweep.
inline constexpr std::size_t kMostPoints = 10000;

/// Draws depend on `seed` only (Philox), so the same sweep has the same points again. An error if
/// an axis occurs twice or there are too many points.
Result<SweepPlan> planSweep(std::vector<SweepAxis> axes, const SweepDesign& design,
                            std::uint64_t seed);

}  // namespace millrace
