// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/kept_run.h"

#include <algorithm>

#include "core/metrics/disturbance.h"

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

namespace {

template <class Counts>
std::vector<double> ratesWhere(const RunDetails& details, const Counts& counts) {
  std::vector<double> rates;
  bool finished = false;
  for (const RepeatRecord& repeat : details.repeats) {
    const auto rate = figureOf(repeat.figures, "samples_per_second");
    if (!repeat.finished || !rate) continue;
    finished = true;
    if (counts(repeat)) rates.push_back(*rate);
  }
  if (!finished && details.summary.samplesPerSecond)
    rates.push_back(*details.summary.samplesPerSecond);
  return rates;
}

}  // namespace

std::vector<double> ratesOf(const RunDetails& details) {
  return ratesWhere(details, [](const RepeatRecord&) { return true; });
}

std::vector<std::string> disturbancesIn(const RepeatRecord& repeat) {
  return disturbancesIn([&](std::string_view key) { return figureOf(repeat.figures, key); });
}

bool isDisturbed(const RepeatRecord& repeat) { return !disturbancesIn(repeat).empty(); }

std::vector<double> quietRatesOf(const RunDetails& details) {
  return ratesWhere(details, [](const RepeatRecord& repeat) { return !isDisturbed(repeat); });
}

}  // namespace millrace
