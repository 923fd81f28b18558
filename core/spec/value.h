// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace millrace {

enum class ParamType : std::uint8_t {
  Integer,
  Real,
  Text,
  Boolean,
  Choice,
  Path,
  RealList,
  TextList,
  PathList
};
std::string_view nameOf(ParamType type);

using RealList = std::vector<double>;
using TextList = std::vector<std::string>;

/// A parameter's value. Text, choice and path are strings; lists hold reals or strings.
using Value = std::variant<bool, std::int64_t, double, std::string, RealList, TextList>;

/// Values by parameter name, sorted.
using Values = std::map<std::string, Value, std::less<>>;

/// As a user types it: `true`, `64`, `0.5`, `bilinear`, `0.485,0.456,0.406`.
std::string textOf(const Value& value);
/// The reverse, for `--set NODE.PARAM=VALUE`; the error says what was expected.
Result<Value> parseValue(ParamType type, std::string_view text);
/// `value` converted to `type` if nothing is lost (an integer to a real, one text to a list of
/// texts). The error says what was expected and what was found.
Result<Value> convertValue(ParamType type, const Value& value);

}  // namespace millrace
