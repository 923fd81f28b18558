// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace millrace {

using Json = nlohmann::json;

// Absent or empty values become null.
Json orNull(std::optional<double> value);
Json orNull(std::optional<int> value);
Json orNull(std::optional<std::int64_t> value);
Json orNull(std::optional<std::uint64_t> value);
Json orNull(const std::optional<std::string>& value);
Json orNull(const std::string& text);

/// No newline at the end; bytes that are not UTF-8 become U+FFFD.
std::string dumpJson(const Json& json, bool indented = false);
/// Indented, with a newline at the end.
std::string prettyJson(const Json& json);

}  // namespace millrace
