// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/search/tune_json.h"

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/events/results/verdict_json.h"
#include "core/events/search/search_fields.inl"
#include "core/events/stream/event_json.h"

namespace millrace {

namespace {

constexpr const char* kTrials = "trials";
constexpr const char* kBest = "best";
constexpr const char* kVerdict = "verdict";

std::map<std::string, std::string> levelsOf(const std::vector<TuneAxis>& axes,
                                            const TunePoint& point) {
  std::map<std::string, std::string> levels;
  for (std::size_t a = 0; a < point.size(); ++a)
    levels[axes[a].name] = axes[a].levels[point[a]].text;
  return levels;
}

std::vector<TuneAxisRecord> axesOf(const std::vector<TuneAxis>& axes) {
  std::vector<TuneAxisRecord> records;
  for (const TuneAxis& axis : axes) {
    TuneAxisRecord& record = records.emplace_back();
    record.name = axis.name;
    for (const TuneLevel& level : axis.levels) record.levels.push_back(level.text);
    record.current = axis.levels[axis.start].text;
    record.changes = axis.changes;
  }
  return records;
}

TuneLimits limitsOf(const TuneOutcome& outcome) {
  TuneLimits limits;
  if (outcome.memoryBytes > 0) limits.memoryBytes = outcome.memoryBytes;
  if (outcome.cores) limits.cores = static_cast<std::uint64_t>(*outcome.cores);
  limits.keptOnCores = outcome.taskset;
  return limits;
}

std::optional<LimitFinding> diagnosedLimit(const TuneOutcome& outcome) {
  if (!outcome.diagnosis || outcome.diagnosis->runs.empty()) return std::nullopt;
  return outcome.diagnosis->finding;
}

TuneResultRecord::Trial recordOf(const TuneOutcome& outcome, std::size_t trial) {
  const TunedSetting& setting = outcome.settings[trial];
  const SpanFigures figures = outcome.figuresOf(trial);
  TuneResultRecord::Trial record;
  record.trial = trial;
  record.state = setting.state();
  record.reason = setting.failure;
  record.samplesPerSecond = figures.samplesPerSecond;
  for (const SpanFigures& repeat : setting.repeats)
    record.rates.push_back(repeat.samplesPerSecond.mean);
  record.gain = setting.gain;
  record.goalValue = outcome.levelOf(trial);
  record.cores = coresOf(figures);
  record.peakRssBytes = figures.peakRssBytes;
  return record;
}

}  // namespace

template <class Fields>
void describe(Fields& fields, TuneResultRecord::Trial& trial) {
  fields("trial", trial.trial);
  fields.name("state", trial.state, TunedSetting::State::OverLimit);
  fields.text("reason", trial.reason);
  fields("samples_per_second", trial.samplesPerSecond);
  fields("rates", trial.rates);
  fields("gain", trial.gain);
  fields("goal_value", trial.goalValue);
  fields("cores", trial.cores);
  fields("peak_rss_bytes", trial.peakRssBytes);
}

template <class Fields>
void describe(Fields& fields, TuneResultRecord& result) {
  fields("front", result.front);
  fields("stopped_because", result.stoppedBecause);
  fields("left_out", result.leftOut);
}

namespace {

Json trialJson(const TuneOutcome& outcome, std::size_t trial) {
  const TunedSetting& setting = outcome.settings[trial];
  const SpanFigures figures = outcome.figuresOf(trial);
  Json json = jsonOf(recordOf(outcome, trial));
  json["settings"] = levelsOf(outcome.axes, setting.point);
  json["edits"] = jsonOf(setting.edits);
  json[kRunIdKey] = orNull(setting.runId);
  json["cpu_seconds_per_1000_samples"] = orNull(figures.cpuSecondsPer1000Samples);
  json["wait_p95_ms"] = orNull(figures.waitP95Ms);
  json["step_share"] = orNull(figures.stepShare);
  return json;
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

/// What a tuning was asked for and how far it came, without its trials.
Json courseJson(const TuneOutcome& outcome) {
  // The result has the keys of both events, too.
  Json json = jsonOf(tuneEventOf(outcome));
  json.update(jsonOf(tuneSpaceOf(outcome)));
  json.update({{kFormatVersionKey, 1},
               {kOutcomeKey, tuneOutcomeName(outcome)},
               {kPipelineKey, outcome.pipeline},
               {"spent_seconds", outcome.spentSeconds},
               {"measured_trials", outcome.trials},
               {"replaced_trials", outcome.replaced},
               {"replayed_trials", outcome.replayed},
               {"missing", orNull(outcome.missing)},
               {"diagnosis_runs", outcome.diagnosisRuns},
               {"predictions", predictionsJson(outcome)}});
  return json;
}

}  // namespace

std::string tuneJson(const TuneOutcome& outcome, const TuneCommands& commands, bool indented) {
  Json json = courseJson(outcome);
  TuneResultRecord record;
  record.front.assign(outcome.front.begin(), outcome.front.end());
  record.stoppedBecause = outcome.stoppedBecause();
  record.leftOut = outcome.leftOut;
  json.update(jsonOf(record));
  json["written"] = orNull(commands.written);
  json["write"] = orNull(commands.write);
  json["compare"] = orNull(commands.compare);
  json[kTrials] = Json::array();
  for (std::size_t t = 0; t < outcome.settings.size(); ++t)
    json[kTrials].push_back(trialJson(outcome, t));
  json[kBest] = outcome.best ? json[kTrials][*outcome.best] : Json();
  json[kVerdict] = outcome.verdict ? verdictJson(*outcome.verdict, "the unmodified pipeline",
                                                 outcome.judgedName())
                                   : Json();
  json["document"] = outcome.document.empty() ? Json() : parsedJson(outcome.document);
  return dumpJson(json, indented);
}

TuneResultRecord readTuneResult(std::string_view text) {
  const Json json = parsedJson(text);
  TuneResultRecord record;
  if (!json.is_object()) return record;
  readJsonInto(json, record);
  JsonReader reader(json);
  reader(kTrials, record.trials);
  TuneResultRecord::Trial best;
  reader(kBest, best);
  record.best = best.trial;
  if (const auto verdict = json.find(kVerdict); verdict != json.end() && verdict->is_object()) {
    const VerdictSummary read = readVerdict(*verdict);
    record.tooFewBlocks = read.kind == VerdictKind::TooFew;
    record.verdict = read.sentence;
  }
  return record;
}

TuneEvent tuneEventOf(const TuneOutcome& outcome) {
  return {outcome.experiment, std::string(nameOf(outcome.goal)), outcome.budgetSeconds,
          outcome.replay, limitsOf(outcome)};
}

TuneSpaceEvent tuneSpaceOf(const TuneOutcome& outcome) {
  return {diagnosedLimit(outcome), axesOf(outcome.axes)};
}

TrialBegunEvent trialBegunOf(const TuneOutcome& outcome, std::size_t setting, double secondsLeft,
                             bool replayed) {
  const TunedSetting& tuned = outcome.settings[setting];
  TrialBegunEvent event;
  event.trial = setting;
  event.repeat = tuned.repeats.size() + 1;
  event.done = outcome.trials;
  event.secondsLeft = secondsLeft;
  event.runId = tuned.runId;
  event.tuned = {levelsOf(outcome.axes, tuned.point), tuned.edits, replayed};
  return event;
}

TrialEndedEvent trialEndedOf(const TuneOutcome& outcome, std::size_t setting,
                             std::optional<std::size_t> best) {
  const TunedSetting& tuned = outcome.settings[setting];
  const SpanFigures figures = outcome.figuresOf(setting);
  TrialEndedEvent event;
  event.trial = setting;
  event.repeat = tuned.repeats.size();
  event.samplesPerSecond = figures.samplesPerSecond;
  event.tuned = TrialEndedEvent::Tuned();
  event.tuned->cores = coresOf(figures);
  event.tuned->peakRssBytes = figures.peakRssBytes;
  event.tuned->gain = tuned.gain;
  event.tuned->goalValue = outcome.levelOf(setting);
  event.tuned->best = best;
  if (best) event.tuned->bestGain = outcome.settings[*best].gain;
  return event;
}

TuneEndedEvent tuneEndedOf(const TuneOutcome& outcome) {
  return {outcome.best, outcome.stoppedBecause()};
}

}  // namespace millrace
