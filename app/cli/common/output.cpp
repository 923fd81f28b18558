// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/output.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include <nlohmann/json.hpp>

#include "app/cli/common/flag_names.h"
#include "app/cli/common/terminal.h"
#include "app/cli/common/text_layout.h"
#include "core/base/mutex.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/events/json/json_text.h"
#include "core/events/stream/event_json.h"
#include "core/events/stream/event_writer.h"

namespace millrace::cli {

namespace {

/// The errno value of the first failed write.
std::atomic<int> lost = 0;
std::atomic<bool> reported = false;
std::atomic<bool> notKept = false;

void note(bool written) {
  int none = 0;
  if (!written) lost.compare_exchange_strong(none, errno == 0 ? EIO : errno);
}

/// What failureJson() tells. Messages may come from observers' threads.
struct Failure {
  Mutex mutex;
  bool printed MILLRACE_GUARDED_BY(mutex) = false;
  std::string error MILLRACE_GUARDED_BY(mutex);
  std::string inSettings MILLRACE_GUARDED_BY(mutex);  ///< the error as core wrote it
  std::vector<Problem> problems MILLRACE_GUARDED_BY(mutex);
};

Failure& failure() {
  static Failure only;
  return only;
}

/// A wrapped message on one line, without "error: " and without the hints of wrong usage.
std::string sentenceOf(std::string_view message) {
  constexpr std::string_view kHead = "error: ";
  if (message.starts_with(kHead)) message.remove_prefix(kHead.size());
  std::string sentence;
  for (const std::string& line : split(trimmed(message), '\n')) {
    if (trimmed(line).starts_with("valid: ") || trimmed(line).starts_with("help: ")) break;
    sentence += (sentence.empty() ? "" : " ") + std::string(trimmed(line));
  }
  return validUtf8(sentence);
}

void noteMessage(std::string_view text, std::string_view named) {
  Failure& all = failure();
  const MutexLock lock(all.mutex);
  const bool ends = named.starts_with("error: ") || named.starts_with("interrupted: ");
  if (!all.error.empty() || !ends) return;
  all.error = sentenceOf(named);
  all.inSettings = sentenceOf(text);
}

}  // namespace

void writeOutput(std::string_view text) {
  {
    const MutexLock lock(failure().mutex);
    failure().printed = true;
  }
  const std::string shown = forDescriptor(STDOUT_FILENO, text);
  note(std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size());
}

bool passOnOutput(std::string_view bytes) {
  {
    const MutexLock lock(failure().mutex);
    failure().printed = true;
  }
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() &&
                       std::fflush(stdout) == 0;
  note(written);
  return written;
}

void passOnMessage(std::string_view bytes) {
  (void)!std::fwrite(bytes.data(), 1, bytes.size(), stderr);
}

void writeMessage(std::string_view text) {
  std::string named = withFlags(text);
  noteMessage(text, named);
  if (messagesGoToTerminal()) named = wrappedMessage(named);
  const std::string shown = forDescriptor(STDERR_FILENO, named);
  (void)!std::fwrite(shown.data(), 1, shown.size(), stderr);
}

void reportNotKept(std::string_view sentence) {
  notKept = true;
  printMessage("error: {}\n", visibleName(sentence));
}

bool anythingNotKept() { return notKept; }

void noteProblems(const std::vector<Problem>& problems) {
  const MutexLock lock(failure().mutex);
  failure().problems.insert(failure().problems.end(), problems.begin(), problems.end());
}

std::string failureJson() {
  Failure& all = failure();
  const MutexLock lock(all.mutex);
  if (all.printed) return {};
  // A program with other names for the settings than flags reads the second text.
  const std::string inSettings =
      all.inSettings == all.error
          ? ""
          : "\"error_in_settings\": " + dumpJson(Json(all.inSettings)) + ", ";
  return fmt::format("{{\"error\": {}, {}\"problems\": {}}}", dumpJson(Json(all.error)), inSettings,
                     problemsJson(all.problems, false));
}

bool flushOutput() {
  note(std::fflush(stdout) == 0);
  if (lost == 0) lost = lostEventError();
  if (lost == 0) return true;
  // A reader that closed its pipe (`| head`) reads no more.
  if (!reported.exchange(true) && lost != EPIPE)
    printMessage("error: standard output cannot be written: {}\n",
                 std::generic_category().message(lost));
  return false;
}

}  // namespace millrace::cli
