// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compare/comparison_progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "app/cli/common/progress_line.h"
#include "core/base/text/text.h"
#include "core/tune/comparison_outcome.h"

namespace millrace::cli {

void ComparisonProgress::clear() {
  if (m_shown) printMessage("\r\x1b[K");
  std::fflush(stderr);
  m_shown = false;
}

void ComparisonProgress::step(const BlockStep& step) {
  m_step = step;
  m_lastSamples = 0;
  m_lastSeconds = 0;
}

void ComparisonProgress::onWaiting(const RunPhase& phase) {
  if (!m_enabled) return;
  printWaiting(phase.secondsLeft);
  m_shown = true;
}

void ComparisonProgress::onSnapshot(const RunSnapshot& snapshot) {
  if (!m_enabled) return;
  const double span = snapshot.seconds - m_lastSeconds;
  const auto samples = static_cast<double>(snapshot.totals.samples - m_lastSamples);
  m_lastSamples = snapshot.totals.samples;
  m_lastSeconds = snapshot.seconds;
  const double left = std::max(1.0, m_step.secondsLeft - snapshot.seconds);
  printMessage("\r\x1b[Kblock {} of {}, {} {}, {} left: {} samples/s", m_step.block + 1, m_step.of,
               kSideLetters[m_step.side], snapshot.phase.warmup ? "warming up" : "measuring",
               humanSeconds(static_cast<double>(static_cast<std::uint64_t>(left + 0.5))),
               grouped(static_cast<std::uint64_t>(span > 0 ? samples / span + 0.5 : 0)));
  std::fflush(stderr);
  m_shown = true;
}

}  // namespace millrace::cli
