// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep/sweep_progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"

namespace millrace::cli {

void SweepProgress::clear() {
  if (m_shown) printMessage("\r\x1b[K");
  std::fflush(stderr);
  m_shown = false;
}

void SweepProgress::show(double seconds, const std::string& what) {
  if (!m_enabled) return;
  const double left = std::max(1.0, m_step.secondsLeft - seconds);
  const std::string of = m_step.of > 0 ? fmt::format(" of {}", m_step.of) : std::string();
  const std::string head =
      fmt::format("trial {}{}, {} left", m_step.done + 1, of,
                  humanSeconds(static_cast<double>(static_cast<std::uint64_t>(left + 0.5))));
  const std::string rest = fmt::format("{}: {}", singleLine(m_settings(m_step.point)), what);
  // A line that wraps could not be updated in place.
  const std::size_t room = pageColumns() - 3 - std::min(pageColumns() - 10, columnsOf(head));
  printMessage("\r\x1b[K{}, {}", head, columnsOf(rest) > room ? fitted(rest, room) : rest);
  std::fflush(stderr);
  m_shown = true;
}

void SweepProgress::step(const TrialStep& step) {
  m_step = step;
  m_lastSamples = 0;
  m_lastSeconds = 0;
  show(0, "starts");
}

void SweepProgress::waiting(double mostSeconds) {
  if (mostSeconds > 0)
    show(0, fmt::format("waiting up to {:.0f} s for inter-core latency to settle", mostSeconds));
}

void SweepProgress::snapshot(const SnapshotEvent& snapshot) {
  const double span = snapshot.seconds - m_lastSeconds;
  const auto samples = static_cast<double>(snapshot.samples - m_lastSamples);
  m_lastSamples = snapshot.samples;
  m_lastSeconds = snapshot.seconds;
  show(snapshot.seconds,
       snapshot.phase.warmup
           ? "warming up"
           : fmt::format("{} samples/s",
                         grouped(static_cast<std::uint64_t>(span > 0 ? samples / span + 0.5 : 0))));
}

}  // namespace millrace::cli
