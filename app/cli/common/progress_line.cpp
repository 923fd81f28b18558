// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/progress_line.h"

#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "core/base/text/text.h"

namespace millrace::cli {

void ProgressLine::clear() {
  if (m_shown) printMessage("\r\x1b[K");
  m_shown = false;
}

void printWaiting(double mostSeconds) {
  printMessage("\r\x1b[Kwaiting up to {:.0f} s: the cores exchange data more slowly than usual",
               mostSeconds);
}

void ProgressLine::onWaiting(const RunPhase& phase) {
  if (!m_enabled) return;
  printWaiting(phase.secondsLeft);
  m_shown = true;
}

void ProgressLine::onSnapshot(const RunSnapshot& snapshot) {
  if (!m_enabled) return;
  if (snapshot.seconds < m_lastSeconds) m_lastSamples = 0, m_lastSeconds = 0;
  const double span = snapshot.seconds - m_lastSeconds;
  const double rate =
      span > 0 ? static_cast<double>(snapshot.totals.samples - m_lastSamples) / span : 0;
  m_lastSamples = snapshot.totals.samples;
  m_lastSeconds = snapshot.seconds;
  const RunPhase& phase = snapshot.phase;
  std::string where = fmt::format("repeat {} of {}, {}", phase.repeat + 1, phase.repeats,
                                  phase.warmup ? "warm-up" : "measured");
  if (!phase.warmup && snapshot.batchLimit > 0)
    where += fmt::format(", batch {} of {}", snapshot.measuredBatches, snapshot.batchLimit);
  else if (phase.secondsLeft > 0)
    where += fmt::format(", {:.0f} s left", phase.secondsLeft);
  printMessage("\r\x1b[K{}: {} samples/s", where, grouped(static_cast<std::uint64_t>(rate + 0.5)));
  m_shown = true;
}

void ProgressLine::onRepeat(std::size_t, const SpanFigures&) { clear(); }

}  // namespace millrace::cli
