// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/output.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "core/events/stream/event_writer.h"

namespace millrace::cli {

namespace {

/// The errno value of the first failed write.
std::atomic<int> lost = 0;
std::atomic<bool> reported = false;

void note(bool written) {
  int none = 0;
  if (!written) lost.compare_exchange_strong(none, errno == 0 ? EIO : errno);
}

}  // namespace

void writeOutput(std::string_view text) {
  note(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void writeMessage(std::string_view text) {
  (void)!std::fwrite(text.data(), 1, text.size(), stderr);
}

bool flushOutput() {
  note(std::fflush(stdout) == 0);
  if (lost == 0) lost = lostEventError();
  if (lost == 0) return true;
  // A reader that closed its pipe (`| head`) wants no more.
  if (!reported.exchange(true) && lost != EPIPE)
    printMessage("error: standard output cannot be written: {}\n",
                 std::generic_category().message(lost));
  return false;
}

}  // namespace millrace::cli
