// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/kept_run.h"

#include <algorithm>
#include <functional>

#include "core/analysis/statistics.h"
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

std::vector<std::string> disturbancesIn(const RepeatRecord& repeat) {
  return disturbancesIn([&](std::string_view key) { return figureOf(repeat.figures, key); });
}

bool isDisturbed(const RepeatRecord& repeat) { return !disturbancesIn(repeat).empty(); }

namespace {

std::vector<bool> disturbedAmongFinished(const RunDetails& details) {
  std::vector<bool> disturbed;
  for (const RepeatRecord& repeat : details.repeats)
    if (repeat.finished) disturbed.push_back(isDisturbed(repeat));
  return disturbed;
}

}  // namespace

std::vector<bool> countedOf(const RunDetails& details) {
  const std::vector<bool> finished =
      countedRepeats(disturbedAmongFinished(details),
                     details.inBlocks ? RepeatsMeasured::InBlocks : RepeatsMeasured::Alone);
  std::vector<bool> counted;
  auto next = finished.begin();
  for (const RepeatRecord& repeat : details.repeats) counted.push_back(repeat.finished && *next++);
  return counted;
}

bool isOnlyDisturbed(const RunDetails& details) {
  const std::vector<bool> disturbed = disturbedAmongFinished(details);
  return !disturbed.empty() && std::ranges::all_of(disturbed, std::identity{});
}

std::vector<double> ratesOf(const RunDetails& details) {
  const std::vector<bool> counted = countedOf(details);
  std::vector<double> rates;
  bool finished = false;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const auto rate = figureOf(details.repeats[i].figures, "samples_per_second");
    if (!details.repeats[i].finished || !rate) continue;
    finished = true;
    if (counted[i]) rates.push_back(*rate);
  }
  if (!finished && details.summary.samplesPerSecond)
    rates.push_back(*details.summary.samplesPerSecond);
  return rates;
}

std::optional<double> rateOf(const RunDetails& details) { return geometricMean(ratesOf(details)); }

}  // namespace millrace
