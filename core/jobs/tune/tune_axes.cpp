// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_axes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/analysis/bottleneck.h"
#include "core/base/text/text.h"
#include "core/nodes/builtin.h"
#include "core/tune/probe_plans.h"

namespace millrace {

namespace {

/// Filling a cache may take this share of the budget, each time that the cache is tried.
constexpr double kFillShare = 0.1;

std::optional<CachePoint> cachePoint(const TuneTask& task, const TuneSurvey& survey,
                                     TuneOutcome& outcome) {
  // Filling a cache never shortens the first epoch.
  const TuneMeaning& meaning = task.meaning();
  if (meaning.goal == TuneGoal::EpochTime || outcome.settings.front().repeats.empty())
    return std::nullopt;
  const SpanFigures& start = outcome.settings.front().repeats.front();
  const double rate = start.samplesPerSecond.mean.value_or(0);
  std::optional<double> encoded;
  if (start.inputBytesPerSecond.value_or(0) > 0 && rate > 0)
    encoded = *start.inputBytesPerSecond / rate;
  const Plan& plan = task.prepared.plan;
  const double room =
      memoryForCaches(survey.cacheRoomBytes, meaning.rules.limits.memoryBytes, start);
  auto place = cachePointOf(plan, room, encoded);
  if (!place) return place;
  const double fill = rate > 0 ? static_cast<double>(plan.pipeline.source->size()) / rate : 0;
  if (fill <= kFillShare * meaning.budgetSeconds) return place;
  outcome.leftOut.push_back(
      fmt::format("a memory cache after {}: filling it takes about {}, more than a tenth of the "
                  "budget",
                  place->node, humanSeconds(std::ceil(fill))));
  return std::nullopt;
}

}  // namespace

double memoryForCaches(double room, std::uint64_t limit, const SpanFigures& start) {
  if (limit == 0) return room;
  const auto taken = static_cast<double>(start.peakRssBytes.value_or(0));
  return std::clamp(static_cast<double>(limit) - taken, 0.0, room);
}

Result<std::vector<TuneAxis>> axesOf(const TuneTask& task, const TuneSurvey& survey,
                                     TuneOutcome& outcome) {
  const Graph& graph = task.prepared.graph;
  TunePreferences preferences;
  preferences.allowed = task.meaning().allowed;
  preferences.cores = task.usableCores();
  preferences.cache = cachePoint(task, survey, outcome);
  if (outcome.diagnosis) preferences.waits = waitsForStorage(outcome.diagnosis->counters);
  for (const std::string& text : task.settings.request.vary) {
    Result<SweepAxis> varied = parseVary(graph, builtinCatalog(), text);
    if (!varied) return Error{text + ": " + varied.error().message};
    preferences.varied.push_back(varied.take());
  }
  if (const Status used = checkUsed(graph, builtinCatalog(), preferences.varied); !used)
    return used.error();
  return tuneSpace(task.prepared.plan, preferences);
}

}  // namespace millrace
