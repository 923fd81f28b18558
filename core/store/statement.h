// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/sql_piece.h"

struct sqlite3_stmt;

namespace millrace {

/// A prepared SQL statement of a Database, with typed parameters and columns. One thread; must not
/// outlive its database. As in SQLite's interface, parameters count from 1 and columns from 0.
class Statement {
 public:
  static constexpr int kRow = 100;
  static constexpr int kDone = 101;

  explicit Statement(sqlite3_stmt* handle) : m_handle(handle) {}

  void bind(int index, std::int64_t value);
  void bind(int index, double value);
  /// The bytes are copied.
  void bind(int index, std::string_view text);
  void bind(int index, std::span<const std::byte> blob);
  void bind(int index, std::nullopt_t);
  template <class T>
  void bind(int index, const std::optional<T>& value) {
    value ? bind(index, *value) : bind(index, std::nullopt);
  }
  void bindValue(int index, const SqlValue& value);
  template <class... Values>
  void bindAll(const Values&... values) {
    int index = 0;
    (bind(++index, values), ...);
  }
  void bindAll(const std::vector<SqlValue>& values) {
    int index = 0;
    for (const SqlValue& value : values) bindValue(++index, value);
  }

  /// kRow, kDone, or an SQLite error code for Database::error.
  int step();
  /// Resets to before the first step; bound values remain.
  void reset();

  bool isNull(int column) const;
  bool isInteger(int column) const;
  bool isReal(int column) const;
  bool isBlob(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  /// Valid until the next step.
  std::span<const std::byte> blob(int column) const;
  std::optional<std::int64_t> maybeInteger(int column) const;
  std::optional<double> maybeReal(int column) const;
  std::optional<std::string> maybeText(int column) const;

 private:
  struct Finalise {
    void operator()(sqlite3_stmt* handle) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalise> m_handle;
};

}  // namespace millrace
