// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/compare/comparison_json.h"

#include <algorithm>
#include <ctime>

#include <fmt/chrono.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"

namespace millrace {

namespace {

using nlohmann::json;

template <class T>
json orNull(const std::optional<T>& value) {
  return value ? json(*value) : json();
}

json orNull(const std::string& text) { return text.empty() ? json() : json(text); }

std::string isoTime(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", utc);
}

const char* nameOf(BetterWhen better) {
  if (better == BetterWhen::Higher) return "higher";
  return better == BetterWhen::Lower ? "lower" : "neither";
}

json verdictJson(const ComparedRun& reference, const ComparedRun& run) {
  if (!run.verdict) return {};
  const Verdict& v = *run.verdict;
  return {{"kind", nameOf(v.kind)},
          {"measured", v.how == MeasuredHow::Together ? "together" : "apart"},
          {"ratio", orNull(v.ratio)},
          {"ratio_ci95_low", v.ratio95 ? json(v.ratio95->low) : json()},
          {"ratio_ci95_high", v.ratio95 ? json(v.ratio95->high) : json()},
          {"p", orNull(v.p)},
          {"smallest_difference", orNull(v.smallestDifference)},
          {"repeats", {v.repeatsA, v.repeatsB}},
          {"more_wanted", v.moreWanted},
          {"differs", v.differs},
          {"sentence", describe(v, "run " + reference.number(), "run " + run.number())}};
}

json runJson(const ComparedRun& reference, const ComparedRun& run) {
  const RunSummary& summary = run.summary;
  json repeats = json::array();
  json counted = json::array();
  for (const ComparedRepeat& repeat : run.repeats) {
    if (!repeat.finished) continue;
    repeats.push_back(orNull(repeat.rate));
    counted.push_back(repeat.counted);
  }
  return {{"run_id", run.number()},
          {"uid", summary.uid},
          {"name", orNull(summary.name)},
          {"pipeline", summary.pipelineName},
          {"experiment", summary.experiment},
          {"state", nameOf(summary.state)},
          {"reason", orNull(summary.reason)},
          {"started", isoTime(summary.started)},
          {"baseline", summary.baseline},
          {"tags", summary.tags},
          {"notes", orNull(run.notes)},
          {"engine_version", run.engineVersion},
          {"repeats", repeats},
          {"repeats_counted", counted},
          {"remarks", run.remarks},
          {"verdict", verdictJson(reference, run)}};
}

json figureJson(const FigureRow& row) {
  json values = json::array();
  json low = json::array();
  json high = json::array();
  json change = json::array();
  for (std::size_t run = 0; run < row.values.size(); ++run) {
    const FigureValue& figure = row.values[run];
    values.push_back(orNull(figure.value));
    low.push_back(figure.interval95 ? json(figure.interval95->low) : json());
    high.push_back(figure.interval95 ? json(figure.interval95->high) : json());
    change.push_back(run == 0 ? json() : orNull(row.change(run)));
  }
  return {{"metric", row.spec->id},
          {"of", orNull(row.of)},
          {"name", row.spec->name},
          {"unit", row.spec->unit},
          {"better", nameOf(row.spec->better)},
          {"values", values},
          {"ci95_low", low},
          {"ci95_high", high},
          {"change", change}};
}

json settingsJson(const Comparison& comparison, bool all) {
  json settings = json::array();
  for (const SettingRow& row : comparison.settings)
    if (all || row.differs)
      settings.push_back({{"name", row.name()}, {"values", row.values}, {"differs", row.differs}});
  return settings;
}

json conditionsJson(const Comparison& comparison) {
  const std::vector<std::size_t> different = comparison.conditionsThatDiffer();
  json conditions = json::array();
  for (std::size_t i = 0; i < comparison.runs.front().conditions.size(); ++i) {
    const RunCondition& condition = comparison.runs.front().conditions[i];
    json values = json::array();
    for (const ComparedRun& run : comparison.runs)
      values.push_back(orNull(run.conditions[i].value));
    conditions.push_back({{"name", condition.name},
                          {"values", values},
                          {"decides", condition.weight == Weight::Decides},
                          {"differs", std::ranges::find(different, i) != different.end()}});
  }
  return conditions;
}

}  // namespace

std::string comparisonJson(const Comparison& comparison, bool allSettings) {
  json runs = json::array();
  json graphs = json::array();
  for (const ComparedRun& run : comparison.runs) {
    runs.push_back(runJson(comparison.runs.front(), run));
    const bool compared = run.verdict && run.graph;
    graphs.push_back(compared ? parsedJson(diffJson(*run.graph)) : json());
  }
  json figures = json::array();
  for (const FigureRow& row : comparison.figures) figures.push_back(figureJson(row));
  const json all = {{"format_version", 1},
                    {"reference", comparison.runs.front().number()},
                    {"runs", runs},
                    {"figures", figures},
                    {"settings", settingsJson(comparison, allSettings)},
                    {"settings_total", comparison.settings.size()},
                    {"conditions", conditionsJson(comparison)},
                    {"graph", graphs}};
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace millrace
