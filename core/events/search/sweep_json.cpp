// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/search/sweep_json.h"

#include "core/events/results/verdict_json.h"
#include "core/events/search/rate_json.h"
#include "core/events/search/search_fields.inl"
#include "core/events/stream/event_json.h"

namespace millrace {

namespace {

/// The keys that the event of a beginning sweep has for a setting, too.
SweepEvent::Trial trialOf(const SweepPlan& plan, std::size_t point, const PointState& state,
                          const std::string& runId) {
  SweepEvent::Trial trial;
  trial.trial = point;
  for (std::size_t a = 0; a < plan.axes.size(); ++a)
    trial.settings[plan.axes[a].name()] = plan.points[point].values[a];
  trial.current = plan.points[point].current;
  trial.designed = plan.points[point].designed;
  trial.runId = runId;
  trial.reason = state.failure;
  for (const SpanFigures& repeat : state.repeats)
    trial.rates.push_back(repeat.samplesPerSecond.mean);
  return trial;
}

Json pointJson(const SweepOutcome& outcome, std::size_t point) {
  const SpanFigures& figures = outcome.finding.figures[point];
  Json json =
      jsonOf(trialOf(outcome.plan, point, outcome.result.points[point], outcome.runIds[point]));
  json["state"] = outcome.stateOf(point);
  json["samples_per_second"] = rateJson(figures.samplesPerSecond);
  json["cpu_seconds_per_1000_samples"] = orNull(figures.cpuSecondsPer1000Samples);
  json["peak_rss_bytes"] = orNull(figures.peakRssBytes);
  json["step_share"] = orNull(figures.stepShare);
  return json;
}

Json importanceJson(const SweepOutcome& outcome) {
  const Importance& importance = outcome.finding.importance;
  Json json = {
      {"method", "share of the variance of log samples/s over the full grid: main effects"},
      {"missing", orNull(importance.missing)}};
  const bool there = importance.missing.empty();
  json["shares"] = there ? Json::object() : Json();
  for (std::size_t a = 0; a < importance.shares.size(); ++a)
    json["shares"][outcome.plan.axes[a].name()] = importance.shares[a];
  json["together"] = there ? Json(importance.together) : Json();
  json["noise"] = orNull(importance.noise);
  return json;
}

Json verdictOrNull(const std::optional<Verdict>& verdict, const char* a) {
  return verdict ? verdictJson(*verdict, a, "the best") : Json();
}

}  // namespace

SweepEvent sweepEventOf(const SweepPlan& plan, const std::string& experiment, std::size_t blocks,
                        const std::vector<PointState>& points,
                        const std::vector<std::string>& runIds) {
  SweepEvent event{experiment, blocks, plan.axes, {}};
  for (std::size_t p = 0; p < plan.points.size(); ++p)
    event.trials.push_back(trialOf(plan, p, points[p], runIds[p]));
  return event;
}

std::string sweepJson(const SweepOutcome& outcome, const std::string& next, bool indented) {
  const SweepFinding& finding = outcome.finding;
  // The result has the keys of the event, too.
  Json json = jsonOf(SweepEvent{outcome.experiment, outcome.blocks, outcome.plan.axes, {}});
  json.update({{kFormatVersionKey, 1},
               {kOutcomeKey, outcome.result.stopped ? "interrupted" : "finished"},
               {kPipelineKey, outcome.pipeline},
               {"plan", textOf(outcome.plan.design)},
               {"seed", outcome.plan.seed},
               {"replaced_trials", outcome.result.replaced},
               {"ranking", finding.ranking},
               {"best", orNull(finding.best)},
               {"current", outcome.plan.current()},
               {"may_be_chance", finding.mayBeChance},
               {"rivals", finding.rivals},
               {"importance", importanceJson(outcome)},
               {"next", orNull(next)},
               {"verdict", verdictOrNull(finding.verdict, "the current setting")},
               {"over_next", verdictOrNull(finding.overNext, "the next")}});
  for (std::size_t p = 0; p < outcome.plan.points.size(); ++p)
    json["trials"].push_back(pointJson(outcome, p));
  return dumpJson(json, indented);
}

}  // namespace millrace
