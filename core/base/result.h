// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/base/check.h"

namespace millrace {

/// Why an operation failed, as one sentence for the user: what happened, what it happened to, and
/// what is allowed.
struct Error {
  std::string message;
};

/// A value, or the error that prevented it. A value type that moves like its content. Report
/// invalid input with a Result and programming errors with MILLRACE_CHECK.
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

#define MILLRACE_JOINED_INNER(a, b) a##b
#define MILLRACE_JOINED(a, b) MILLRACE_JOINED_INNER(a, b)

/// Returns the error of `expression` from the enclosing function if it failed.
#define MILLRACE_TRY(expression)                                                  \
  do {                                                                            \
    if (auto MILLRACE_JOINED(millraceTried, __LINE__) = (expression);             \
        !MILLRACE_JOINED(millraceTried, __LINE__).ok())                           \
      return ::millrace::Error(MILLRACE_JOINED(millraceTried, __LINE__).error()); \
  } while (false)

/// Declares a variable and assigns the value of a Result to it, or returns its error from the
/// enclosing function:
///   MILLRACE_ASSIGN_OR_RETURN(auto file, openFile(path));
/// It expands to several statements, so it cannot be the unbraced body of an `if` or a loop.
#define MILLRACE_ASSIGN_OR_RETURN(declaration, ...)                              \
  auto MILLRACE_JOINED(millraceResult, __LINE__) = (__VA_ARGS__);                \
  if (!MILLRACE_JOINED(millraceResult, __LINE__).ok())                           \
    return ::millrace::Error(MILLRACE_JOINED(millraceResult, __LINE__).error()); \
  declaration = MILLRACE_JOINED(millraceResult, __LINE__).take()
