// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/measure/data_facts.h"
#include "core/tune/sweep/sweep_plan.h"

namespace millrace {

/// A sweep as the runs of its trials describe it: enough to plan the same one again. Value.
struct SweepDescription {
  std::vector<std::string> vary;  ///< as parseVary reads them, in the order of the axes
  SweepDesign design;
  std::size_t blocks = 0;
  std::uint64_t seed = 0;
};

/// Keys of the facts that must be unchanged if a sweep is continued.
inline constexpr std::array kSweepFacts = {"sweep_vary", "sweep_plan", "sweep_repeats",
                                           "sweep_seed"};

Facts sweepFacts(const SweepPlan& plan, std::size_t blocks);
/// nullopt: the run is not a trial of a sweep.
std::optional<SweepDescription> sweepOf(const Facts& facts);

}  // namespace millrace
