// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/work_progress.h"

#include <unistd.h>

#include <cstdio>
#include <optional>

#include "app/cli/common/output.h"
#include "app/cli/common/version.h"
#include "core/base/text/text.h"
#include "core/events/stream/event_json.h"
#include "core/events/stream/steady_seconds.h"

namespace millrace::cli {

WorkProgress::WorkProgress(bool events)
    : m_events(events), m_terminal(isatty(STDERR_FILENO) != 0) {}

void WorkProgress::start() {
  if (m_events) print("{}\n", helloEvent(steadySeconds(), kVersion));
}

void WorkProgress::clear() {
  if (m_shown) printMessage("\r\x1b[K");
  std::fflush(stderr);
  m_shown = false;
}

void WorkProgress::show(std::string_view doing, std::uint64_t done, std::uint64_t of) {
  const double time = steadySeconds();
  if (doing != m_doing) {
    m_doing = doing;
    m_since = time;
    m_from = done;
  }
  if ((!m_events && !m_terminal) || time - m_last < 0.2) return;
  m_last = time;
  const auto here = static_cast<double>(done - m_from);
  const double rate = time > m_since ? here / (time - m_since) : 0;
  const std::optional<double> left = secondsFor(of - done, done - m_from, time - m_since);
  if (m_events) {
    print("{}\n", progressEvent(time, done, of, left));
    flushOutput();
    return;
  }
  printMessage("\r\x1b[K{}: {} of {}, {} samples/s, {}", doing, grouped(done), grouped(of),
               grouped(static_cast<std::uint64_t>(rate + 0.5)),
               left ? humanSeconds(*left) + " left" : "");
  std::fflush(stderr);
  m_shown = true;
}

}  // namespace millrace::cli
