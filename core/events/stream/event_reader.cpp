// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/event_reader.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/events/search/search_fields.inl"
#include "core/events/stream/event_fields.inl"
#include "core/events/stream/event_json.h"

namespace millrace {

namespace {

/// Reads an event of one of the types that have a name; any other becomes an UnknownEvent.
template <class... Events>
void readContent(std::variant<UnknownEvent, Events...>& content, const std::string& name,
                 const Json& json) {
  const bool known = ((name == kEventName<Events> &&
                       (readJsonInto(json, content.template emplace<Events>()), true)) ||
                      ...);
  if (!known) content = UnknownEvent{name};
}

}  // namespace

StreamEvent::StreamEvent() = default;
StreamEvent::StreamEvent(double at, Content what) : time(at), content(std::move(what)) {}
StreamEvent::StreamEvent(const StreamEvent&) = default;
StreamEvent::StreamEvent(StreamEvent&&) noexcept = default;
StreamEvent& StreamEvent::operator=(const StreamEvent&) = default;
StreamEvent& StreamEvent::operator=(StreamEvent&&) noexcept = default;
StreamEvent::~StreamEvent() = default;

Status EventReader::greet(const HelloEvent& hello) {
  int major = -1;
  const char* end = hello.version.data() + hello.version.size();
  const auto [stopped, code] = std::from_chars(hello.version.data(), end, major);
  const bool numbered = code == std::errc{} && (stopped == end || *stopped == '.');
  if (!numbered || major != kEventFormatMajor) {
    m_refused = Error{fmt::format(
        "the engine `{}` writes event format `{}`, but this program reads {}.x; use an engine and "
        "a program of the same release",
        hello.engine, hello.version, kEventFormatMajor)};
    return *m_refused;
  }
  m_hello = hello;
  return {};
}

Result<StreamEvent> EventReader::read(std::string_view line) {
  if (m_refused) return *m_refused;
  constexpr std::size_t kShown = 80;
  const Json json = parsedJson(line);
  if (!json.is_object())
    return Error{fmt::format("a line of the event stream is not a JSON object: `{}`",
                             validUtf8(line.substr(0, kShown)))};
  std::string name;
  StreamEvent event;
  JsonReader fields(json);
  fields(kEventKey, name);
  fields(kTimeKey, event.time);
  if (name.empty())
    return Error{fmt::format("a line of the event stream has no `event`: `{}`",
                             validUtf8(line.substr(0, kShown)))};
  if (!m_hello && name != "hello")
    return Error{fmt::format("an event stream must begin with `hello`, not with `{}`",
                             name.substr(0, kShown))};
  readContent(event.content, name, json);
  if (auto* result = std::get_if<ResultEvent>(&event.content)) result->json = line;
  if (const auto* hello = std::get_if<HelloEvent>(&event.content))
    if (Status greeted = greet(*hello); !greeted) return greeted.error();
  return event;
}

}  // namespace millrace
