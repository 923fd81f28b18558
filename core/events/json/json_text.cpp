// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/json/json_text.h"

#include <nlohmann/json.hpp>

namespace millrace {

namespace {

template <class T>
Json valueOrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

}  // namespace

Json orNull(std::optional<double> value) { return valueOrNull(value); }
Json orNull(std::optional<int> value) { return valueOrNull(value); }
Json orNull(std::optional<std::int64_t> value) { return valueOrNull(value); }
Json orNull(std::optional<std::uint64_t> value) { return valueOrNull(value); }
Json orNull(const std::optional<std::string>& value) { return valueOrNull(value); }
Json orNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

std::string dumpJson(const Json& json, bool indented) {
  return json.dump(indented ? 2 : -1, ' ', false, Json::error_handler_t::replace);
}

std::string prettyJson(const Json& json) { return dumpJson(json, true) + "\n"; }

}  // namespace millrace
