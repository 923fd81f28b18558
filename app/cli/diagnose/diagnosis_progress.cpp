// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/diagnose/diagnosis_progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "app/cli/common/progress_line.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text/text.h"

namespace millrace::cli {

DiagnosisProgress::DiagnosisProgress(bool terminal, ComparisonEvents* events)
    : m_terminal(terminal), m_events(events) {
  if (events != nullptr) m_waits.emplace(*events);
}

void DiagnosisProgress::onStep(const DiagnosisStep& step) {
  m_step = step;
  if (m_events != nullptr) m_events->step({step.done, step.of, 0, step.secondsLeft}, step.what);
}

void DiagnosisProgress::onPhase(const RunPhase& phase) {
  if (m_waits) m_waits->onPhase(phase);
}

void DiagnosisProgress::onWaiting(const RunPhase& phase) {
  if (m_waits) m_waits->onWaiting(phase);
  if (!m_terminal) return;
  printWaiting(phase.secondsLeft);
  m_shown = true;
}

void DiagnosisProgress::onSnapshot(const RunSnapshot& snapshot) {
  if (!m_terminal) return;
  constexpr std::size_t kWhat = 44;
  const double left = std::max(1.0, m_step.secondsLeft - snapshot.seconds);
  printMessage("\r\x1b[K{:>2} of {}, {} left: {}", m_step.done + 1, m_step.of,
               humanSeconds(static_cast<double>(static_cast<std::uint64_t>(left + 0.5))),
               columnsOf(m_step.what) > kWhat ? fitted(m_step.what, kWhat) : m_step.what);
  std::fflush(stderr);
  m_shown = true;
}

void DiagnosisProgress::clear() {
  if (m_shown) printMessage("\r\x1b[K");
  std::fflush(stderr);
  m_shown = false;
}

}  // namespace millrace::cli
