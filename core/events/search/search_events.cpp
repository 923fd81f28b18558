// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/search/search_events.h"

#include <array>

#include "core/events/search/search_fields.inl"
#include "core/events/search/search_reader.h"

namespace millrace {

namespace {

/// The name of each event.
template <class Event>
constexpr const char* kEventName = nullptr;
template <>
constexpr const char* kEventName<SweepEvent> = "sweep";
template <>
constexpr const char* kEventName<TuneEvent> = "tune";
template <>
constexpr const char* kEventName<TuneSpaceEvent> = "tune_space";
template <>
constexpr const char* kEventName<TrialBegunEvent> = "trial_begun";
template <>
constexpr const char* kEventName<TrialEndedEvent> = "trial_ended";
template <>
constexpr const char* kEventName<TuneEndedEvent> = "tune_ended";

template <class Event>
std::string lineOf(double time, const Event& event) {
  Json json = jsonOf(event);
  json["event"] = kEventName<Event>;
  json["time"] = time;
  return dumpJson(json);
}

template <class Event>
bool readAs(const std::string& name, const Json& json, StreamEvent& event) {
  if (name != kEventName<Event>) return false;
  readJsonInto(json, event.content.emplace<Event>());
  return true;
}

}  // namespace

std::string_view nameOf(TrialEndedEvent::State state) {
  static constexpr std::array<std::string_view, 4> kNames = {"measured", "replaced", "failed",
                                                             "over_limit"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string eventLine(double time, const SweepEvent& event) { return lineOf(time, event); }
std::string eventLine(double time, const TuneEvent& event) { return lineOf(time, event); }
std::string eventLine(double time, const TuneSpaceEvent& event) { return lineOf(time, event); }
std::string eventLine(double time, const TrialBegunEvent& event) { return lineOf(time, event); }
std::string eventLine(double time, const TrialEndedEvent& event) { return lineOf(time, event); }
std::string eventLine(double time, const TuneEndedEvent& event) { return lineOf(time, event); }

bool readSearchEvent(const std::string& name, const Json& json, StreamEvent& event) {
  return readAs<SweepEvent>(name, json, event) || readAs<TuneEvent>(name, json, event) ||
         readAs<TuneSpaceEvent>(name, json, event) || readAs<TrialBegunEvent>(name, json, event) ||
         readAs<TrialEndedEvent>(name, json, event) || readAs<TuneEndedEvent>(name, json, event);
}

}  // namespace millrace
