// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Reading JSON that another program wrote, for the sources of this room. A value that is missing
/// or of another type leaves its target unchanged. Nothing here throws.
namespace millrace::json_read {

/// The value of a key; null if there is none, or if `json` is not an object.
const nlohmann::json& at(const nlohmann::json& json, const char* key);
/// The items of an array; an empty array for anything else.
const nlohmann::json& itemsAt(const nlohmann::json& json, const char* key);

void read(const nlohmann::json& json, std::string& to);
void read(const nlohmann::json& json, bool& to);
void read(const nlohmann::json& json, double& to);
void read(const nlohmann::json& json, std::uint64_t& to);
void read(const nlohmann::json& json, std::int64_t& to);
void read(const nlohmann::json& json, std::optional<std::string>& to);
void read(const nlohmann::json& json, std::optional<double>& to);
void read(const nlohmann::json& json, std::optional<std::uint64_t>& to);
void read(const nlohmann::json& json, std::optional<std::int64_t>& to);
/// Appends one text per item.
void read(const nlohmann::json& json, std::vector<std::string>& to);

/// Calls `read(at(json, key), value)` for each pair of key and value.
inline void readAll(const nlohmann::json&) {}
template <class T, class... Rest>
void readAll(const nlohmann::json& json, const char* key, T& value, Rest&&... rest) {
  read(at(json, key), value);
  readAll(json, std::forward<Rest>(rest)...);
}

}  // namespace millrace::json_read
