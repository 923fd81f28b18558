// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>
#include <variant>

#include "core/events/json/json_fields.inl"
#include "core/events/results/diagnosis_summary.h"
#include "core/events/results/run_fields.inl"
#include "core/events/search/search_events.h"
#include "core/events/stream/event_line.inl"

namespace millrace {

// The names and keys of the events of searches, each listed once (json_fields.inl). The objects in
// them are also parts of results.

template <>
inline constexpr const char* kEventName<SweepEvent> = "sweep";
template <>
inline constexpr const char* kEventName<TuneEvent> = "tune";
template <>
inline constexpr const char* kEventName<TuneSpaceEvent> = "tune_space";
template <>
inline constexpr const char* kEventName<TrialBegunEvent> = "trial_begun";
template <>
inline constexpr const char* kEventName<TrialEndedEvent> = "trial_ended";
template <>
inline constexpr const char* kEventName<TuneEndedEvent> = "tune_ended";

/// A parameter's value: a whole number stays one, and a real has a fraction or an exponent.
template <>
struct JsonConverter<Value> {
  static Json write(const Value& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
  }
  static void read(const Json& json, Value& value) {
    value = std::string();
    if (json.is_boolean()) value = json.get<bool>();
    if (json.is_number_integer()) value = json.get<std::int64_t>();
    if (json.is_number_float()) value = json.get<double>();
    if (json.is_string()) value = json.get<std::string>();
    if (!json.is_array()) return;
    if (!json.empty() && json.front().is_number())
      readJsonInto(json, value.emplace<RealList>());
    else
      readJsonInto(json, value.emplace<TextList>());
  }
};

/// An edit that a tuning makes.
template <>
struct JsonConverter<Advice> {
  static Json write(const Advice& edit) { return describedEditJson(edit); }
  static void read(const Json& json, Advice& edit) { edit = editFrom(json); }
};

template <>
struct JsonConverter<LimitFinding> {
  static Json write(const LimitFinding& finding) { return limitJson(finding); }
  static void read(const Json& json, LimitFinding& finding) { finding = limitFrom(json); }
};

/// A rate with the keys that a page of several rates needs.
struct MeanRate {
  RateFigures& rate;
};
template <class Fields>
void describe(Fields& fields, MeanRate& mean) {
  describeMean(fields, mean.rate);
}

template <class Fields>
void describe(Fields& fields, SweepAxis& axis) {
  std::string name = axis.name();
  fields("param", name);
  fields("values", axis.values);
  fields("current", axis.current);
  if constexpr (kReadsJson<Fields>) {
    const std::size_t dot = name.find('.');
    axis.node = name.substr(0, dot);
    axis.param = dot == std::string::npos ? "" : name.substr(dot + 1);
  }
}

template <class Fields>
void describe(Fields& fields, TuneLimits& limits) {
  fields("memory_bytes", limits.memoryBytes);
  fields("cores", limits.cores);
  fields.text("kept_on_cores", limits.keptOnCores);
}

template <class Fields>
void describe(Fields& fields, TuneAxisRecord& axis) {
  fields("name", axis.name);
  fields("levels", axis.levels);
  fields("current", axis.current);
  fields.name("changes", axis.changes, SampleChange::Content);
}

template <class Fields>
void describe(Fields& fields, SweepEvent::Trial& trial) {
  fields("trial", trial.trial);
  fields("settings", trial.settings);
  fields("current", trial.current);
  fields("designed", trial.designed);
  fields.text("run_id", trial.runId);
  fields.text("reason", trial.reason);
  fields("rates", trial.rates);
}

template <class Fields>
void describe(Fields& fields, SweepEvent& event) {
  fields.text("experiment", event.experiment);
  fields("repeats", event.repeats);
  fields("axes", event.axes);
  fields("trials", event.trials);
}

template <class Fields>
void describe(Fields& fields, TuneEvent& event) {
  fields.text("experiment", event.experiment);
  fields("for", event.goal);
  fields("budget_seconds", event.budgetSeconds);
  fields("replay", event.replay);
  fields("limits", event.limits);
}

template <class Fields>
void describe(Fields& fields, TuneSpaceEvent& event) {
  fields("limit", event.limit);
  fields("axes", event.axes);
}

template <class Fields>
void describe(Fields& fields, TuneEndedEvent& event) {
  fields("best", event.best);
  fields("stopped_because", event.stoppedBecause);
}

template <class Fields>
void describe(Fields& fields, TrialBegunEvent& event) {
  fields("trial", event.trial);
  fields("repeat", event.repeat);
  fields("done", event.done);
  fields("of", event.of);
  fields("seconds_left", event.secondsLeft);
  fields.text("run_id", event.runId);
  if constexpr (kReadsJson<Fields>) event.tuned = TrialBegunEvent::Tuned();
  if (!event.tuned) return;
  fields("settings", event.tuned->settings);
  fields("edits", event.tuned->edits);
  fields("replayed", event.tuned->replayed);
}

template <class Fields>
void describe(Fields& fields, TrialEndedEvent& event) {
  fields("trial", event.trial);
  fields("repeat", event.repeat);
  std::string state(event.state ? nameOf(*event.state) : "");
  fields.text("state", state);
  if constexpr (kReadsJson<Fields>)
    for (int i = 0; i <= static_cast<int>(TrialEndedEvent::State::OverLimit); ++i)
      if (nameOf(static_cast<TrialEndedEvent::State>(i)) == state)
        event.state = static_cast<TrialEndedEvent::State>(i);
  fields.text("reason", event.reason);
  fields("rate", event.rate);
  MeanRate rate{event.samplesPerSecond};
  fields("samples_per_second", rate);
  if constexpr (kReadsJson<Fields>) event.tuned = TrialEndedEvent::Tuned();
  if (!event.tuned) return;
  fields("replayed", event.tuned->replayed);
  fields("cores", event.tuned->cores);
  fields("peak_rss_bytes", event.tuned->peakRssBytes);
  fields("gain", event.tuned->gain);
  fields("goal_value", event.tuned->goalValue);
  fields("best", event.tuned->best);
  fields("best_gain", event.tuned->bestGain);
}

}  // namespace millrace
