// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/convert/convert_progress.h"

#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "app/cli/common/version.h"
#include "core/base/text.h"
#include "core/events/stream/event_json.h"
#include "core/events/stream/steady_seconds.h"

namespace millrace::cli {

ConvertReport::ConvertReport(bool events)
    : m_events(events), m_terminal(isatty(STDERR_FILENO) != 0) {}

void ConvertReport::onStart() {
  if (m_events) print("{}\n", helloEvent(steadySeconds(), kVersion));
}

void ConvertReport::clear() {
  if (m_shown) printMessage("\r\x1b[K");
  std::fflush(stderr);
  m_shown = false;
}

void ConvertReport::onProgress(const ConvertProgress& progress) {
  const double time = steadySeconds();
  if (progress.doing != m_doing) {
    m_doing = progress.doing;
    m_since = time;
    m_from = progress.done;
  }
  if ((!m_events && !m_terminal) || time - m_last < 0.2) return;
  m_last = time;
  const auto done = static_cast<double>(progress.done - m_from);
  const double rate = time > m_since ? done / (time - m_since) : 0;
  const double left = rate > 0 ? static_cast<double>(progress.of - progress.done) / rate : 0;
  if (m_events) {
    print("{}\n", progressEvent(time, progress.done, progress.of, left));
    flushOutput();
    return;
  }
  printMessage("\r\x1b[K{}: {} of {}, {} samples/s, {}", progress.doing, grouped(progress.done),
               grouped(progress.of), grouped(static_cast<std::uint64_t>(rate + 0.5)),
               rate > 0 ? humanSeconds(left) + " left" : "");
  std::fflush(stderr);
  m_shown = true;
}

}  // namespace millrace::cli
