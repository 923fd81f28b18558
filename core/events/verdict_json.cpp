// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/verdict_json.h"

#include <nlohmann/json.hpp>

#include "core/events/json_text.h"

namespace millrace {

Json verdictJson(const Verdict& verdict, const std::string& a, const std::string& b) {
  const std::optional<Interval>& interval = verdict.ratio95;
  return {{"kind", nameOf(verdict.kind)},
          {"measured", verdict.how == MeasuredHow::Together ? "together" : "apart"},
          {"ratio", orNull(verdict.ratio)},
          {"ratio_ci95_low", interval ? Json(interval->low) : Json()},
          {"ratio_ci95_high", interval ? Json(interval->high) : Json()},
          {"p", orNull(verdict.p)},
          {"smallest_difference", orNull(verdict.smallestDifference)},
          {"repeats", {verdict.repeatsA, verdict.repeatsB}},
          {"more_wanted", verdict.moreWanted},
          {"differs", verdict.differs},
          {"sentence", describe(verdict, a, b)}};
}

}  // namespace millrace
