// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/verdict.h"

namespace millrace {

/// A verdict as results write it: `kind` (faster slower ~ "too few" "not alike") `measured`
/// (together apart) `ratio ratio_ci95_low ratio_ci95_high p smallest_difference repeats` (of A and
/// of B) `more_wanted differs sentence`. Null if absent. Value.
struct VerdictSummary {
  VerdictKind kind = VerdictKind::NotAlike;
  std::string measured;
  std::optional<double> ratio;
  std::optional<double> ratioLow;
  std::optional<double> ratioHigh;
  std::optional<double> p;
  std::optional<double> smallestDifference;
  std::vector<std::size_t> repeats;
  std::size_t moreWanted = 0;
  std::vector<std::string> differs;
  std::string sentence;  ///< without a full stop
};

/// `a` and `b` name the two sides in the sentence.
VerdictSummary summaryOf(const Verdict& verdict, const std::string& a, const std::string& b);
nlohmann::json verdictJson(const VerdictSummary& summary);
nlohmann::json verdictJson(const Verdict& verdict, const std::string& a, const std::string& b);
/// What is missing keeps its default.
VerdictSummary readVerdict(const nlohmann::json& json);

}  // namespace millrace
