// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tune/vary.h"

namespace millrace {

/// Which points of the grid a sweep measures.
struct SweepDesign {
  enum class Kind : std::uint8_t {
    Full,    ///< all of them
    Random,  ///< `count` different ones, each set of them as likely
    /// `count` by Latin hypercube: every parameter's range is cut into as many strata, each of
    /// which is met once (McKay, Beckman and Conover, Technometrics 1979). Points that fall
    /// together on the grid are measured once, so there may be fewer.
    Latin
  };
  Kind kind = Kind::Full;
  std::size_t count = 0;

  bool operator==(const SweepDesign&) const = default;
};
/// "full", "random:20", "latin:20".
Result<SweepDesign> parseDesign(std::string_view text);
std::string textOf(const SweepDesign& design);

/// One setting of the varied parameters: value i is of axis i.
struct SweepPoint {
  std::vector<Value> values;
  bool current = false;  ///< the setting that the document has
  bool designed = true;  ///< false: the current setting, measured though the design lacks it
};

/// What a sweep will measure, known before its first trial. Plain value.
struct SweepPlan {
  std::vector<SweepAxis> axes;
  SweepDesign design;
  std::uint64_t seed = 0;
  /// Sorted by the axes, the first changing slowest; the current setting is always among them.
  std::vector<SweepPoint> points;

  std::size_t current() const;
  /// "workers.count=2 batch.size=32".
  std::string settings(std::size_t point) const;
  /// Whether the whole grid is measured.
  bool fullGrid() const;
};

/// The most points of a sweep.
inline constexpr std::size_t kMostPoints = 10000;

/// Draws by Philox of `seed` alone: the same sweep again has the same points. An error where an
/// axis stands twice or there are too many points.
Result<SweepPlan> planSweep(std::vector<SweepAxis> axes, const SweepDesign& design,
                            std::uint64_t seed);

}  // namespace millrace
