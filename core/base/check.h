// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace millrace {

/// Prints place, condition and explanation to standard error and aborts. For broken promises of
/// the programmer alone; bad input is a Result.
[[noreturn]] void checkFailed(const char* file, int line, const char* condition,
                              std::string_view explanation);

}  // namespace millrace

#define MILLRACE_CHECK(condition, explanation)                              \
  do {                                                                      \
    if (!(condition)) [[unlikely]]                                          \
      ::millrace::checkFailed(__FILE__, __LINE__, #condition, explanation); \
  } while (false)
