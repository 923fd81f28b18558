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
  Holds,    ///< the text contains the value; ASCII letters in either case
  HoldsNot  ///< the reverse, where there is a text
};
/// Of one of the grammar's operators.
QueryOperator operatorNamed(std::string_view sign);

/// A value as it was written.
struct QueryLiteral {
  std::string text;    ///< a unit stands right behind its number
  std::string suffix;  ///< "ago"
  bool quoted = false;
};

/// The condition that a field compares so with a value: always 0 or 1, 0 where the run has no such
/// value. The error says what the field would have taken.
Result<SqlPiece> compare(const QueryField& field, QueryOperator op, const QueryLiteral& literal,
                         WallTime now);

}  // namespace millrace
