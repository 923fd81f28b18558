// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/spec/problem.h"

namespace millrace::cli {

// All text that the program prints. A stream that cannot be written (closed, a full disk) never
// throws. Main thread and observers.

/// Writes to standard output, buffered, without a change: it may be JSON or code. A failure is
/// remembered for flushOutput.
void writeOutput(std::string_view text);
/// Writes what another `millrace` printed, at once and unchanged. False if that failed; remembered
/// for flushOutput.
bool passOnOutput(std::string_view bytes);
/// The same to standard error. A failure is ignored.
void passOnMessage(std::string_view bytes);
/// Writes to standard error at once, settings as flags. A terminal gets lines wrapped to its width,
/// scripts get each sentence on one line. A failure is ignored: there is nowhere to report it.
void writeMessage(std::string_view text);

/// Reports that something measured is not in the store; `sentence` says why. The command then does
/// not end with exit code 0.
void reportNotKept(std::string_view sentence);
bool anythingNotKept();

/// What a command with `--json` reports when it fails before it has printed anything:
/// {"error": "the first error message", "problems": [...]}. Empty if something was printed.
std::string failureJson();
/// Adds the problems of a pipeline to failureJson().
void noteProblems(const std::vector<Problem>& problems);

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
