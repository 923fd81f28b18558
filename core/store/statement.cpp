// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/store/statement.h"

#include <sqlite3.h>

#include "core/base/check.h"

namespace millrace {

static_assert(Statement::kRow == SQLITE_ROW && Statement::kDone == SQLITE_DONE);

namespace {

/// Binding fails if the SQL has no such index, which is an error in our own code, or if memory ran
/// out.
void checkBound(int code) { MILLRACE_CHECK(code == SQLITE_OK, sqlite3_errstr(code)); }

}  // namespace

void Statement::Finalise::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

void Statement::bind(int index, std::int64_t value) {
  checkBound(sqlite3_bind_int64(m_handle.get(), index, value));
}

void Statement::bind(int index, double value) {
  checkBound(sqlite3_bind_double(m_handle.get(), index, value));
}

void Statement::bind(int index, std::string_view text) {
  // A null pointer would bind NULL instead of the empty text.
  const char* bytes = text.empty() ? "" : text.data();
  checkBound(sqlite3_bind_text64(m_handle.get(), index, bytes, text.size(), SQLITE_TRANSIENT,
                                 SQLITE_UTF8));
}

void Statement::bind(int index, std::span<const std::byte> blob) {
  const void* bytes = blob.empty() ? static_cast<const void*>("") : blob.data();
  checkBound(sqlite3_bind_blob64(m_handle.get(), index, bytes, blob.size(), SQLITE_TRANSIENT));
}

void Statement::bind(int index, std::nullopt_t) {
  checkBound(sqlite3_bind_null(m_handle.get(), index));
}

void Statement::bindValue(int index, const SqlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return bind(index, *integer);
  if (const auto* real = std::get_if<double>(&value)) return bind(index, *real);
  if (const auto* text = std::get_if<std::string>(&value))
    return bind(index, std::string_view(*text));
  bind(index, std::nullopt);
}

int Statement::step() { return sqlite3_step(m_handle.get()); }

void Statement::reset() { sqlite3_reset(m_handle.get()); }

bool Statement::isNull(int column) const {
  return sqlite3_column_type(m_handle.get(), column) == SQLITE_NULL;
}

bool Statement::isInteger(int column) const {
  return sqlite3_column_type(m_handle.get(), column) == SQLITE_INTEGER;
}

bool Statement::isReal(int column) const {
  return sqlite3_column_type(m_handle.get(), column) == SQLITE_FLOAT;
}

bool Statement::isBlob(int column) const {
  return sqlite3_column_type(m_handle.get(), column) == SQLITE_BLOB;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(m_handle.get(), column);
}

double Statement::real(int column) const { return sqlite3_column_double(m_handle.get(), column); }

std::string Statement::text(int column) const {
  const auto* bytes = sqlite3_column_text(m_handle.get(), column);
  if (bytes == nullptr) return {};
  const auto length = static_cast<std::size_t>(sqlite3_column_bytes(m_handle.get(), column));
  return {reinterpret_cast<const char*>(bytes), length};
}

std::span<const std::byte> Statement::blob(int column) const {
  const void* bytes = sqlite3_column_blob(m_handle.get(), column);
  const auto length = static_cast<std::size_t>(sqlite3_column_bytes(m_handle.get(), column));
  return {static_cast<const std::byte*>(bytes), bytes == nullptr ? 0 : length};
}

std::optional<std::int64_t> Statement::maybeInteger(int column) const {
  if (isNull(column)) return std::nullopt;
  return integer(column);
}

std::optional<double> Statement::maybeReal(int column) const {
  if (isNull(column)) return std::nullopt;
  return real(column);
}

std::optional<std::string> Statement::maybeText(int column) const {
  if (isNull(column)) return std::nullopt;
  return text(column);
}

}  // namespace millrace
