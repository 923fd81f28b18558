// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <nlohmann/json.hpp>

#include "app/cli/tune/tune_events.h"
#include "app/cli/tune/tune_outcome.h"
#include "core/events/diagnosis_summary.h"
#include "core/events/json_text.h"
#include "core/events/rate_json.h"
#include "core/events/steady_seconds.h"
#include "core/events/verdict_json.h"

namespace millrace::cli {

namespace {

Json levelsJson(const std::vector<TuneAxis>& axes, const TunePoint& point) {
  Json json = Json::object();
  for (std::size_t a = 0; a < point.size(); ++a) json[axes[a].name] = axes[a].levels[point[a]].text;
  return json;
}

Json axesJson(const std::vector<TuneAxis>& axes) {
  Json json = Json::array();
  for (const TuneAxis& axis : axes) {
    Json levels = Json::array();
    for (const TuneLevel& level : axis.levels) levels.push_back(level.text);
    json.push_back({{"name", axis.name},
                    {"levels", levels},
                    {"current", axis.levels[axis.start].text},
                    {"changes", nameOf(axis.changes)}});
  }
  return json;
}

Json editsJson(const std::vector<Advice>& edits) {
  Json json = Json::array();
  for (const Advice& edit : edits) {
    if (edit.edit == Advice::Edit::AddCache)
      json.push_back({{"add", "cache"}, {"behind", edit.node}, {"limit", edit.to}});
    else
      json.push_back(
          {{"node", edit.node}, {"param", edit.param}, {"from", edit.from}, {"to", edit.to}});
    json.back()["changes_samples"] = nameOf(edit.changes);
    json.back()["text"] = edit.editText();
  }
  return json;
}

/// The goal's figure over the repeats of a setting, in its own unit.
std::optional<double> goalValue(const TuneOutcome& outcome, const TunedSetting& setting) {
  if (setting.scores.empty()) return std::nullopt;
  double sum = 0;
  for (const double score : setting.scores) sum += score;
  const double mean = sum / static_cast<double>(setting.scores.size());
  return std::exp(outcome.goal == TuneGoal::Throughput ? mean : -mean);
}

const char* stateOf(const TunedSetting& setting) {
  if (setting.overLimit) return "over_limit";
  if (!setting.failure.empty()) return "failed";
  return setting.repeats.empty() ? "waiting" : "measured";
}

Json settingJson(const TuneOutcome& outcome, std::size_t trial) {
  const TunedSetting& setting = outcome.settings[trial];
  const SpanFigures figures = outcome.figuresOf(trial);
  Json rates = Json::array();
  for (const SpanFigures& repeat : setting.repeats)
    rates.push_back(orNull(repeat.samplesPerSecond.mean));
  return {{"trial", trial},
          {"settings", levelsJson(outcome.axes, setting.point)},
          {"edits", editsJson(setting.edits)},
          {"state", stateOf(setting)},
          {"reason", orNull(setting.failure)},
          {"run_id", orNull(setting.runId)},
          {"samples_per_second", rateJson(figures.samplesPerSecond)},
          {"rates", rates},
          {"gain", orNull(setting.gain)},
          {"goal_value", orNull(goalValue(outcome, setting))},
          {"cpu_seconds_per_1000_samples", orNull(figures.cpuSecondsPer1000Samples)},
          {"cores", orNull(coresOf(figures))},
          {"peak_rss_bytes", orNull(figures.peakRssBytes)},
          {"wait_p95_ms", orNull(figures.waitP95Ms)},
          {"step_share", orNull(figures.stepShare)}};
}

Json limitsJson(const TuneOutcome& outcome) {
  return {{"memory_bytes", outcome.memoryBytes > 0 ? Json(outcome.memoryBytes) : Json()},
          {"cores", orNull(outcome.cores)},
          {"kept_on_cores", orNull(outcome.taskset)}};
}

Json diagnosedLimit(const TuneOutcome& outcome) {
  if (!outcome.diagnosis || outcome.diagnosis->runs.empty()) return {};
  return limitJson(outcome.diagnosis->finding);
}

const char* tuneOutcomeName(const TuneOutcome& outcome) {
  if (outcome.stopped) return "interrupted";
  return outcome.missing.empty() ? "finished" : "incomplete";
}

Json predictionsJson(const TuneOutcome& outcome) {
  Json json = Json::array();
  for (const TunedPrediction& each : outcome.predictions)
    json.push_back({{"edit", each.edit},
                    {"trial", each.trial},
                    {"low", each.predicted.low},
                    {"middle", each.predicted.middle},
                    {"high", each.predicted.high},
                    {"measured", each.measured}});
  return json;
}

}  // namespace

std::string tuneJson(const TuneOutcome& outcome, bool indented) {
  Json json = {{"format_version", 1},
               {"outcome", tuneOutcomeName(outcome)},
               {"pipeline", outcome.pipeline},
               {"experiment", orNull(outcome.experiment)},
               {"for", nameOf(outcome.goal)},
               {"budget_seconds", outcome.budgetSeconds},
               {"spent_seconds", outcome.spentSeconds},
               {"measured_trials", outcome.trials},
               {"replaced_trials", outcome.replaced},
               {"replay", outcome.replay},
               {"replayed_trials", outcome.replayed},
               {"missing", orNull(outcome.missing)},
               {"diagnosis_runs", outcome.diagnosisRuns},
               {"limits", limitsJson(outcome)},
               {"limit", diagnosedLimit(outcome)},
               {"axes", axesJson(outcome.axes)},
               {"front", outcome.front},
               {"stopped_because", outcome.stoppedBecause()},
               {"left_out", outcome.leftOut},
               {"predictions", predictionsJson(outcome)},
               {"written", orNull(outcome.written)},
               {"write", orNull(outcome.write)},
               {"compare", orNull(outcome.compare)}};
  json["trials"] = Json::array();
  for (std::size_t t = 0; t < outcome.settings.size(); ++t)
    json["trials"].push_back(settingJson(outcome, t));
  json["best"] = outcome.best ? json["trials"][*outcome.best] : Json();
  json["verdict"] = outcome.verdict
                        ? verdictJson(*outcome.verdict, "the unmodified pipeline", "the best")
                        : Json();
  json["document"] = outcome.document.empty() ? Json() : Json::parse(outcome.document);
  return dumpJson(json, indented);
}

void TuneEvents::tune(const TuneOutcome& outcome) {
  write(dumpJson({{"event", "tune"},
                  {"time", steadySeconds()},
                  {"experiment", orNull(outcome.experiment)},
                  {"for", nameOf(outcome.goal)},
                  {"budget_seconds", outcome.budgetSeconds},
                  {"replay", outcome.replay},
                  {"limits", limitsJson(outcome)}}));
}

void TuneEvents::space(const TuneOutcome& outcome) {
  write(dumpJson({{"event", "tune_space"},
                  {"time", steadySeconds()},
                  {"limit", diagnosedLimit(outcome)},
                  {"axes", axesJson(outcome.axes)}}));
}

void TuneEvents::trialBegun(const TuneOutcome& outcome, std::size_t trial, double secondsLeft,
                            bool replayed) {
  const TunedSetting& setting = outcome.settings[trial];
  write(dumpJson({{"event", "trial_begun"},
                  {"time", steadySeconds()},
                  {"trial", trial},
                  {"repeat", setting.repeats.size() + 1},
                  {"settings", levelsJson(outcome.axes, setting.point)},
                  {"edits", editsJson(setting.edits)},
                  {"done", outcome.trials},
                  {"of", Json()},
                  {"replayed", replayed},
                  {"seconds_left", secondsLeft},
                  {"run_id", orNull(setting.runId)}}));
}

void TuneEvents::trialEnded(const TuneOutcome& outcome, std::size_t trial,
                            const TunedTrialEnding& ending) {
  const TunedSetting& setting = outcome.settings[trial];
  const SpanFigures figures = outcome.figuresOf(trial);
  Json json = {{"event", "trial_ended"},
               {"time", steadySeconds()},
               {"trial", trial},
               {"repeat", setting.repeats.size()},
               {"state", ending.state},
               {"replayed", ending.replayed},
               {"reason", orNull(ending.reason)},
               {"rate", orNull(ending.rate)},
               {"samples_per_second", rateJson(figures.samplesPerSecond)},
               {"cores", orNull(coresOf(figures))},
               {"peak_rss_bytes", orNull(figures.peakRssBytes)},
               {"best", orNull(ending.best)}};
  json["gain"] = orNull(setting.gain);
  json["goal_value"] = orNull(goalValue(outcome, setting));
  json["best_gain"] = ending.best ? orNull(outcome.settings[*ending.best].gain) : Json();
  write(dumpJson(json));
}

void TuneEvents::tuneEnded(const TuneOutcome& outcome) {
  write(dumpJson({{"event", "tune_ended"},
                  {"time", steadySeconds()},
                  {"best", orNull(outcome.best)},
                  {"stopped_because", outcome.stoppedBecause()}}));
}

}  // namespace millrace::cli
