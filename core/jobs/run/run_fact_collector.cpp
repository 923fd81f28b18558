// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run/run_fact_collector.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/measure/store_figures.h"
#include "core/monitor/cpu_speed.h"

namespace millrace {

namespace {

/// Fact of a run: how often the processor throttled its cores because of heat meanwhile.
constexpr const char* kCpuThrottledFact = "cpu_throttled";

}  // namespace

RunFactCollector::RunFactCollector(std::shared_ptr<const Source> source, bool fingerprint)
    : m_source(std::move(source)), m_throttles(thermalThrottles()) {
  if (fingerprint) m_fingerprint.emplace(m_source);
}

Facts RunFactCollector::factsOf(const RunResult& result, const Facts& before) {
  Facts known = gpuFacts(result);
  if (const auto now = thermalThrottles(); now && m_throttles && *now > *m_throttles)
    known.emplace_back(kCpuThrottledFact, fmt::format("{} times", *now - *m_throttles));
  if (m_fingerprint)
    for (auto& fact : m_fingerprint->take()) known.push_back(std::move(fact));
  if (m_source->listed() && !hasFact(before, "data_samples"))
    known.emplace_back("data_samples", std::to_string(m_source->size()));
  return known;
}

bool hasFact(const Facts& facts, std::string_view key) {
  return std::ranges::any_of(facts, [&](const auto& fact) { return fact.first == key; });
}

std::optional<Problem> heatWarning(const Facts& facts) {
  if (!hasFact(facts, kCpuThrottledFact)) return std::nullopt;
  return Problem{Severity::Warning, "", "",
                 "the processor overheated and slowed its cores down during this measurement: "
                 "measure again once it has cooled down",
                 ""};
}

}  // namespace millrace
