// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/events/json/json_fields.inl"

namespace millrace {

inline constexpr const char* kEventKey = "event";
inline constexpr const char* kTimeKey = "time";

/// The name of each type of event; specialised next to its description.
template <class Event>
inline constexpr const char* kEventName = nullptr;

/// An event's line without the newline, from the object that it holds.
template <class Event>
std::string lineWith(double time, Json content) {
  content[kEventKey] = kEventName<Event>;
  content[kTimeKey] = time;
  return dumpJson(content);
}

template <class Event>
std::string lineOf(double time, const Event& event) {
  return lineWith<Event>(time, jsonOf(event));
}

}  // namespace millrace
