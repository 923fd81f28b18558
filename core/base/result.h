// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/base/check.h"

namespace millrace {

/// Why something could not be done, as one sentence for a person: what happened, to which thing,
/// and what was allowed.
struct Error {
  std::string message;
};

/// A value, or the reason why there is none. Value type; moves like its content.
/// Bad input travels in a Result; a broken promise of the programmer is a CHECK.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : m_content(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_content(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return m_content.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() {
    MILLRACE_CHECK(ok(), error().message);
    return std::get<0>(m_content);
  }
  const T& value() const {
    MILLRACE_CHECK(ok(), error().message);
    return std::get<0>(m_content);
  }
  T take() { return std::move(value()); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const { return std::get<1>(m_content); }

 private:
  std::variant<T, Error> m_content;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : m_error(std::move(error)) {}

  bool ok() const { return !m_error; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *m_error; }

 private:
  std::optional<Error> m_error;
};

using Status = Result<void>;

}  // namespace millrace

/// Leaves the enclosing function with the error of `expression` when it failed.
#define MILLRACE_TRY(expression)                                \
  do {                                                          \
    if (auto millraceTried = (expression); !millraceTried.ok()) \
      return ::millrace::Error(millraceTried.error());          \
  } while (false)
