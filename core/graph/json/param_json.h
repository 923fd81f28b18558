// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "core/graph/graph.h"

namespace millrace {

/// The value of JSON without a described type. nullopt for null, objects, mixed lists and integers
/// beyond 64 bits.
std::optional<Value> naturalValue(const nlohmann::json& json);
nlohmann::json jsonOf(const Value& value);

RawJson rawOf(const nlohmann::json& json);
nlohmann::json jsonOf(const RawJson& raw);

/// The parameter as written to the file: in its described type if possible.
nlohmann::json jsonOf(const ParamSpec& spec, const ParamValue& value);
/// The parameter as kept in the document: a value of the described type, else raw JSON.
ParamValue paramOf(const ParamSpec* spec, const nlohmann::json& json);

}  // namespace millrace
