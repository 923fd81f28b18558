// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace millrace {

/// Prints the location, the condition and the explanation to standard error and aborts. Only for
/// programming errors; invalid input is reported by a Result.
[[noreturn]] void checkFailed(const char* file, int line, const char* condition,
                              std::string_view explanation);

}  // namespace millrace

#define MILLRACE_CHECK(condition, explanation)                              \
  do {                                                                      \
    if (!(condition)) [[unlikely]]                                          \
      ::millrace::checkFailed(__FILE__, __LINE__, #condition, explanation); \
  } while (false)
