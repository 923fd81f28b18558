// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/sweep/sweep_facts.h"

#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/events/json/json_text.h"
#include "core/jobs/search/stopped_search.h"

namespace millrace {

namespace {

template <class Number>
std::optional<Number> numberOf(const std::string& text) {
  Number number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || end.ec != std::errc() || end.ptr != text.data() + text.size())
    return std::nullopt;
  return number;
}

}  // namespace

Facts sweepFacts(const SweepPlan& plan, std::size_t blocks) {
  Json vary = Json::array();
  for (const SweepAxis& axis : plan.axes) vary.push_back(varyText(axis));
  return {{kSweepFacts[0], dumpJson(vary)},
          {kSweepFacts[1], textOf(plan.design)},
          {kSweepFacts[2], fmt::format("{}", blocks)},
          {kSweepFacts[3], fmt::format("{}", plan.seed)}};
}

std::optional<SweepDescription> sweepOf(const Facts& facts) {
  const Json vary = parsedJson(factNamed(facts, kSweepFacts[0]));
  const Result<SweepDesign> design = parseDesign(factNamed(facts, kSweepFacts[1]));
  const auto blocks = numberOf<std::size_t>(factNamed(facts, kSweepFacts[2]));
  const auto seed = numberOf<std::uint64_t>(factNamed(facts, kSweepFacts[3]));
  if (!vary.is_array() || !design || !blocks || !seed) return std::nullopt;
  SweepDescription sweep{{}, *design, *blocks, *seed};
  for (const Json& axis : vary) {
    if (!axis.is_string()) return std::nullopt;
    sweep.vary.push_back(axis.get<std::string>());
  }
  return sweep;
}

}  // namespace millrace
