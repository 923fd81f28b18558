// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/json/json_read.h"

#include <nlohmann/json.hpp>

namespace millrace::json_read {

namespace {

template <class T>
void readOptional(const nlohmann::json& json, bool fits, std::optional<T>& to) {
  if (!fits) return;
  T value{};
  read(json, value);
  to = std::move(value);
}

}  // namespace

const nlohmann::json& at(const nlohmann::json& json, const char* key) {
  static const nlohmann::json nothing;
  if (!json.is_object()) return nothing;
  const auto found = json.find(key);
  return found == json.end() ? nothing : *found;
}

const nlohmann::json& itemsAt(const nlohmann::json& json, const char* key) {
  static const nlohmann::json none = nlohmann::json::array();
  const nlohmann::json& items = at(json, key);
  return items.is_array() ? items : none;
}

void read(const nlohmann::json& json, std::string& to) {
  if (json.is_string()) to = json.get<std::string>();
}
void read(const nlohmann::json& json, bool& to) {
  if (json.is_boolean()) to = json.get<bool>();
}
void read(const nlohmann::json& json, double& to) {
  if (json.is_number()) to = json.get<double>();
}
void read(const nlohmann::json& json, std::uint64_t& to) {
  if (json.is_number_unsigned()) to = json.get<std::uint64_t>();
}
void read(const nlohmann::json& json, std::int64_t& to) {
  if (!json.is_number_integer()) return;
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX) return;
  to = json.get<std::int64_t>();
}
void read(const nlohmann::json& json, std::optional<std::string>& to) {
  readOptional(json, json.is_string(), to);
}
void read(const nlohmann::json& json, std::optional<double>& to) {
  readOptional(json, json.is_number(), to);
}
void read(const nlohmann::json& json, std::optional<std::uint64_t>& to) {
  readOptional(json, json.is_number_unsigned(), to);
}
void read(const nlohmann::json& json, std::optional<std::int64_t>& to) {
  readOptional(json, json.is_number_integer(), to);
}
void read(const nlohmann::json& json, std::vector<std::string>& to) {
  if (!json.is_array()) return;
  for (const nlohmann::json& item : json) read(item, to.emplace_back());
}

}  // namespace millrace::json_read
