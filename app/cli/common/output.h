// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace millrace::cli {

// All text that the program prints. A stream that cannot be written (closed, a full disk) never
// throws. Main thread and observers.

/// Writes to standard output, buffered. A failure is remembered for flushOutput.
void writeOutput(std::string_view text);
/// Writes to standard error at once. A failure is ignored: there is nowhere to report it.
void writeMessage(std::string_view text);

/// Flushes standard output. False if anything written to it since the beginning was lost; then
/// reports it on standard error, once.
bool flushOutput();

template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  writeOutput(fmt::format(format, std::forward<Values>(values)...));
}

template <class... Values>
void printMessage(fmt::format_string<Values...> format, Values&&... values) {
  writeMessage(fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace millrace::cli
