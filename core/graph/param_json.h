// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "core/graph/graph.h"

namespace millrace {

/// What JSON says by itself: null, objects, mixed lists and integers beyond 64 bits are no values.
std::optional<Value> naturalValue(const nlohmann::json& json);
nlohmann::json jsonOf(const Value& value);

RawJson rawOf(const nlohmann::json& json);
nlohmann::json jsonOf(const RawJson& raw);

/// The parameter as the file should have it: of its described type where it can be.
nlohmann::json jsonOf(const ParamSpec& spec, const ParamValue& value);
/// The parameter as the document should have it: a value of the described type, else raw.
ParamValue paramOf(const ParamSpec* spec, const nlohmann::json& json);

}  // namespace millrace
