// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/kept_run.h"

#include <algorithm>

namespace millrace {

bool areTogether(const KeptRun& a, const KeptRun& b) {
  return a.together && b.together && a.together->group == b.together->group;
}

std::optional<std::string> factOf(const RunDetails& details, std::string_view key) {
  const auto found = std::ranges::find(details.environment, key, &KeyValue::first);
  if (found == details.environment.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

std::optional<double> figureOf(const std::vector<FigureRecord>& figures, std::string_view metric) {
  const auto found = std::ranges::find(figures, metric, &FigureRecord::metric);
  return found == figures.end() ? std::nullopt : found->value;
}

std::vector<double> ratesOf(const RunDetails& details) {
  std::vector<double> rates;
  for (const RepeatRecord& repeat : details.repeats)
    if (repeat.finished)
      if (const auto rate = figureOf(repeat.figures, "samples_per_second")) rates.push_back(*rate);
  if (rates.empty() && details.summary.samplesPerSecond)
    rates.push_back(*details.summary.samplesPerSecond);
  return rates;
}

}  // namespace millrace
