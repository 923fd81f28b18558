// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/stream/run_request.h"

#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text/parsed_json.h"
#include "core/base/text/text.h"
#include "core/events/json/json_text.h"

namespace millrace {

namespace {

constexpr const char* kIdKey = "id";
constexpr const char* kRequestKey = "request";
constexpr const char* kNodeKey = "node";
constexpr const char* kParamKey = "param";
constexpr const char* kValueKey = "value";
constexpr const char* kStop = "stop";
constexpr const char* kStart = "start";
constexpr const char* kSet = "set";

/// A JSON value in the form that `--set` takes.
std::string settingScalar(const Json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// nullopt for objects and nested lists, which no parameter accepts.
std::optional<std::string> settingText(const Json& value) {
  if (value.is_object()) return std::nullopt;
  if (!value.is_array()) return settingScalar(value);
  std::string joined;
  for (const Json& item : value) {
    if (item.is_structured()) return std::nullopt;
    joined += (joined.empty() ? "" : ",") + settingScalar(item);
  }
  return joined;
}

std::string stringAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

}  // namespace

std::string requestLine(const RunRequest& request) {
  Json json = {{kIdKey, request.id}, {kRequestKey, kStop}};
  if (request.kind == RunRequest::Kind::Start) json[kRequestKey] = kStart;
  if (request.kind == RunRequest::Kind::Set) {
    json[kRequestKey] = kSet;
    json[kNodeKey] = request.node;
    json[kParamKey] = request.param;
    json[kValueKey] = request.value;
  }
  return dumpJson(json);
}

Result<RunRequest> parseRequest(const std::string& line) {
  const Json json = parsedJson(line);
  if (!json.is_object()) return Error{"a request must be one JSON object on a line"};
  RunRequest request;
  const auto id = json.find(kIdKey);
  const bool whole = id != json.end() && id->is_number_integer() &&
                     !(id->is_number_unsigned() && id->get<std::uint64_t>() > INT64_MAX);
  if (!whole) return Error{"a request needs an integer `id`, which its answer repeats"};
  request.id = id->get<std::int64_t>();
  const std::string name = stringAt(json, kRequestKey);
  if (name == kStop) return request;
  request.kind = RunRequest::Kind::Start;
  if (name == kStart) return request;
  if (name != kSet)
    return Error{fmt::format("unknown request `{}`; valid requests are stop, set and start",
                             validUtf8(name))};
  request.kind = RunRequest::Kind::Set;
  request.node = stringAt(json, kNodeKey);
  request.param = stringAt(json, kParamKey);
  const auto value = json.find(kValueKey);
  if (request.node.empty() || request.param.empty() || value == json.end())
    return Error{"set needs `node`, `param` and `value`"};
  const std::optional<std::string> typed = settingText(*value);
  if (!typed) return Error{"the `value` of a set must be a text, a number, true, false or a list"};
  request.value = *typed;
  return request;
}

}  // namespace millrace
