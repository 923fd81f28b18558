// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/graph/json/param_json.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/graph/json/graph_json.h"
#include "core/graph/json/json_text.h"

namespace millrace {

using nlohmann::json;

namespace {

bool fitsInteger(const json& value) {
  return !value.is_number_unsigned() ||
         value.get<std::uint64_t>() <=
             static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

std::optional<Value> naturalList(const json& list) {
  if (std::all_of(list.begin(), list.end(), [](const json& e) { return e.is_string(); }))
    return Value{list.get<TextList>()};
  if (std::all_of(list.begin(), list.end(), [](const json& e) { return e.is_number(); }))
    return Value{list.get<RealList>()};
  return std::nullopt;
}

std::string_view describe(const json& value) {
  if (value.is_null()) return "null";
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list of mixed types";
  return "a number that is too large";
}

}  // namespace

std::optional<Value> naturalValue(const json& value) {
  if (value.is_boolean()) return Value{value.get<bool>()};
  if (value.is_number_float()) return Value{value.get<double>()};
  if (value.is_number_integer() && fitsInteger(value)) return Value{value.get<std::int64_t>()};
  if (value.is_string()) return Value{value.get<std::string>()};
  if (value.is_array()) return naturalList(value);
  return std::nullopt;
}

json jsonOf(const Value& value) {
  return std::visit([](const auto& content) { return json(content); }, value);
}

RawJson rawOf(const json& value) {
  return {value.dump(-1, ' ', false, json::error_handler_t::replace)};
}

json jsonOf(const RawJson& raw) {
  Result<json> value = readJson(raw.text, kMaxGraphDepth);
  return value ? value.take() : json();
}

json jsonOf(const ParamSpec& spec, const ParamValue& value) {
  if (const auto* raw = std::get_if<RawJson>(&value)) return jsonOf(*raw);
  const Result<Value> typed = convertValue(spec.type, std::get<Value>(value));
  return jsonOf(typed ? *typed : std::get<Value>(value));
}

ParamValue paramOf(const ParamSpec* spec, const json& value) {
  if (spec == nullptr) return rawOf(value);
  const std::optional<Value> natural = naturalValue(value);
  if (!natural) return rawOf(value);
  Result<Value> typed = convertValue(spec->type, *natural);
  if (typed) return typed.take();
  return rawOf(value);
}

Result<Value> valueOf(ParamType type, const RawJson& raw) {
  const json value = jsonOf(raw);
  const std::optional<Value> natural = naturalValue(value);
  if (natural) return convertValue(type, *natural);
  const std::string_view name = nameOf(type);
  return Error{fmt::format("expected {} {}, found {}", name.front() == 'i' ? "an" : "a", name,
                           describe(value))};
}

}  // namespace millrace
