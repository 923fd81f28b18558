// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/store/query_field.h"
#include "core/store/query_value.h"

namespace millrace {

enum class QueryOperator : std::uint8_t {
  Equal,
  Unequal,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Holds,    ///< the text contains the value, ignoring the case of ASCII letters
  HoldsNot  ///< there is a text and it does not contain the value
};
/// The operator for one of the grammar's signs.
QueryOperator operatorNamed(std::string_view sign);

/// A value as written in the query.
struct QueryLiteral {
  std::string text;    ///< a unit directly follows its number
  std::string suffix;  ///< "ago"
  bool quoted = false;
};

/// SQL condition that compares a field with a value. It is always 0 or 1; 0 if the run does not
/// have the field. The error says which values the field accepts.
Result<SqlPiece> compare(const QueryField& field, QueryOperator op, const QueryLiteral& literal,
                         WallTime now);

}  // namespace millrace
