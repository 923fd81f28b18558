// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace millrace {

/// A value bound to or returned by SQL; monostate is NULL.
using SqlValue = std::variant<std::monostate, std::int64_t, double, std::string>;

/// A piece of SQL with the values of its `?` in order. User text is always a value.
struct SqlPiece {
  std::string sql;
  std::vector<SqlValue> values;
};

/// "a b", with the values of both.
inline SqlPiece operator+(SqlPiece a, const SqlPiece& b) {
  if (!a.sql.empty() && !b.sql.empty()) a.sql += ' ';
  a.sql += b.sql;
  a.values.insert(a.values.end(), b.values.begin(), b.values.end());
  return a;
}
inline SqlPiece operator+(SqlPiece a, std::string_view sql) {
  return std::move(a) + SqlPiece{std::string(sql), {}};
}

}  // namespace millrace
