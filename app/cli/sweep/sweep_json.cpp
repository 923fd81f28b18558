// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/events/steady_seconds.h"
#include "app/cli/runs/run_table.h"
#include "app/cli/sweep/sweep_events.h"
#include "app/cli/sweep/sweep_outcome.h"
#include "core/base/text.h"
#include "core/events/json_text.h"
#include "core/events/rate_json.h"
#include "core/events/verdict_json.h"

namespace millrace::cli {

namespace {

Json valueJson(const Value& value) {
  return std::visit([](const auto& held) { return Json(held); }, value);
}

Json settingsJson(const SweepPlan& plan, std::size_t point) {
  Json settings = Json::object();
  for (std::size_t a = 0; a < plan.axes.size(); ++a)
    settings[plan.axes[a].name()] = valueJson(plan.points[point].values[a]);
  return settings;
}

Json axesJson(const SweepPlan& plan) {
  Json axes = Json::array();
  for (const SweepAxis& axis : plan.axes) {
    Json values = Json::array();
    for (const Value& value : axis.values) values.push_back(valueJson(value));
    axes.push_back(
        {{"param", axis.name()}, {"values", values}, {"current", valueJson(axis.current)}});
  }
  return axes;
}

Json ratesJson(const PointState& state) {
  Json rates = Json::array();
  for (const SpanFigures& repeat : state.repeats)
    rates.push_back(orNull(repeat.samplesPerSecond.mean));
  return rates;
}

Json pointJson(const SweepOutcome& outcome, std::size_t point) {
  const PointState& state = outcome.result.points[point];
  const SpanFigures& figures = outcome.finding.figures[point];
  return {{"trial", point},
          {"settings", settingsJson(*outcome.plan, point)},
          {"current", outcome.plan->points[point].current},
          {"designed", outcome.plan->points[point].designed},
          {"state", outcome.stateOf(point)},
          {"reason", orNull(state.failure)},
          {"run_id", orNull(outcome.runIds[point])},
          {"samples_per_second", rateJson(figures.samplesPerSecond)},
          {"rates", ratesJson(state)},
          {"cpu_seconds_per_1000_samples", orNull(figures.cpuSecondsPer1000Samples)},
          {"peak_rss_bytes", orNull(figures.peakRssBytes)},
          {"step_share", orNull(figures.stepShare)}};
}

Json importanceJson(const SweepOutcome& outcome) {
  const Importance& importance = outcome.finding.importance;
  Json json = {
      {"method", "share of the variance of log samples/s over the full grid: main effects"},
      {"missing", orNull(importance.missing)}};
  const bool there = importance.missing.empty();
  json["shares"] = there ? Json::object() : Json();
  for (std::size_t a = 0; a < importance.shares.size(); ++a)
    json["shares"][outcome.plan->axes[a].name()] = importance.shares[a];
  json["together"] = there ? Json(importance.together) : Json();
  json["noise"] = orNull(importance.noise);
  return json;
}

std::string numberCell(const std::optional<double>& value) {
  return value ? fmt::format("{:.9g}", *value) : std::string();
}

}  // namespace

std::string sweepJson(const SweepOutcome& outcome, bool indented) {
  const SweepPlan& plan = *outcome.plan;
  Json json = {{"format_version", 1},
               {"outcome", outcome.result.stopped ? "interrupted" : "finished"},
               {"pipeline", outcome.pipeline},
               {"experiment", orNull(outcome.experiment)},
               {"plan", textOf(plan.design)},
               {"seed", plan.seed},
               {"repeats", outcome.blocks},
               {"replaced_trials", outcome.result.replaced},
               {"axes", axesJson(plan)},
               {"ranking", outcome.finding.ranking},
               {"best", orNull(outcome.finding.best)},
               {"current", plan.current()},
               {"may_be_chance", outcome.finding.mayBeChance},
               {"rivals", outcome.finding.rivals},
               {"importance", importanceJson(outcome)},
               {"next", orNull(outcome.next)}};
  json["trials"] = Json::array();
  for (std::size_t p = 0; p < plan.points.size(); ++p)
    json["trials"].push_back(pointJson(outcome, p));
  json["verdict"] = outcome.finding.verdict
                        ? verdictJson(*outcome.finding.verdict, "the current setting", "the best")
                        : Json();
  json["over_next"] = outcome.finding.overNext
                          ? verdictJson(*outcome.finding.overNext, "the next", "the best")
                          : Json();
  return dumpJson(json, indented);
}

std::string sweepCsv(const SweepOutcome& outcome) {
  const SweepPlan& plan = *outcome.plan;
  std::string text = "trial,run";
  for (const SweepAxis& axis : plan.axes) text += "," + csvCell(axis.name());
  text +=
      ",current,state,samples_per_second,ci95_low,ci95_high,repeats,cpu_seconds_per_1000_samples,"
      "peak_rss_bytes,step_share,reason";
  for (std::size_t b = 0; b < outcome.blocks; ++b) text += fmt::format(",rate_{}", b + 1);
  text += "\r\n";
  for (std::size_t p = 0; p < plan.points.size(); ++p) {
    const PointState& state = outcome.result.points[p];
    const SpanFigures& figures = outcome.finding.figures[p];
    const RateFigures& rate = figures.samplesPerSecond;
    text += fmt::format("{},{}", p, outcome.runIds[p]);
    for (const Value& value : plan.points[p].values) text += "," + csvCell(textOf(value));
    text +=
        fmt::format(",{},{},{},{},{},{},{},{},{},{}", plan.points[p].current, outcome.stateOf(p),
                    numberCell(rate.mean), numberCell(rate.ci95Low), numberCell(rate.ci95High),
                    state.repeats.size(), numberCell(figures.cpuSecondsPer1000Samples),
                    figures.peakRssBytes ? std::to_string(*figures.peakRssBytes) : "",
                    numberCell(figures.stepShare), csvCell(validUtf8(state.failure)));
    for (std::size_t b = 0; b < outcome.blocks; ++b)
      text += "," + (b < state.repeats.size() ? numberCell(state.repeats[b].samplesPerSecond.mean)
                                              : std::string());
    text += "\r\n";
  }
  return text;
}

void SweepEvents::sweep(const SweepPlan& plan, const std::string& experiment, std::size_t blocks,
                        const std::vector<PointState>& states,
                        const std::vector<std::string>& runIds) {
  Json points = Json::array();
  for (std::size_t p = 0; p < plan.points.size(); ++p)
    points.push_back({{"trial", p},
                      {"settings", settingsJson(plan, p)},
                      {"current", plan.points[p].current},
                      {"designed", plan.points[p].designed},
                      {"run_id", orNull(runIds[p])},
                      {"reason", orNull(states[p].failure)},
                      {"rates", ratesJson(states[p])}});
  write(dumpJson({{"event", "sweep"},
                  {"time", steadySeconds()},
                  {"experiment", orNull(experiment)},
                  {"repeats", blocks},
                  {"axes", axesJson(plan)},
                  {"trials", points}}));
}

void SweepEvents::trialBegun(const TrialStep& step, const std::string& runId) {
  write(dumpJson({{"event", "trial_begun"},
                  {"time", steadySeconds()},
                  {"trial", step.point},
                  {"repeat", step.block + 1},
                  {"done", step.done},
                  {"of", step.of},
                  {"seconds_left", step.secondsLeft},
                  {"run_id", orNull(runId)}}));
}

void SweepEvents::trialEnded(const TrialStep& step, const TrialEnding& ending) {
  Json json = {{"event", "trial_ended"},      {"time", steadySeconds()},
               {"trial", step.point},         {"repeat", step.block + 1},
               {"state", ending.state},       {"reason", orNull(ending.reason)},
               {"rate", orNull(ending.rate)}, {"samples_per_second", rateJson(ending.all)}};
  write(dumpJson(json));
}

}  // namespace millrace::cli
