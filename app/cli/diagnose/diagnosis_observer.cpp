// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/diagnose/diagnosis_observer.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/progress_line.h"
#include "app/cli/common/text_layout.h"
#include "core/base/text.h"

namespace millrace::cli {

DiagnosisProgress::DiagnosisProgress(bool terminal, StoreRecorder* recorder,
                                     ComparisonEvents* events)
    : m_terminal(terminal), m_recorder(recorder), m_events(events) {
  if (recorder != nullptr) m_blocks.emplace(*recorder);
  if (events != nullptr) m_waits.emplace(*events);
}

void DiagnosisProgress::onStep(const DiagnosisStep& step) {
  m_step = step;
  m_keeping = nullptr;
  if (m_events != nullptr) m_events->step({step.done, step.of, 0, step.secondsLeft}, step.what);
  if (!m_blocks) return;
  m_recorder->heartbeat();
  if (!step.baseline) return;
  m_blocks->drop();
  m_keeping = &*m_blocks;
}

void DiagnosisProgress::onKept(const SpanFigures&) {
  if (m_blocks) m_blocks->keep(m_kept++);
}

void DiagnosisProgress::onPhase(const RunPhase& phase) {
  if (m_waits) m_waits->onPhase(phase);
  if (m_keeping != nullptr) m_keeping->onPhase(phase);
}

void DiagnosisProgress::onWindow(std::size_t repeat, const RateWindow& window) {
  if (m_keeping != nullptr) m_keeping->onWindow(repeat, window);
}

void DiagnosisProgress::onFailures(const std::vector<FailedSample>& failures, std::uint64_t total) {
  if (m_keeping != nullptr) m_keeping->onFailures(failures, total);
}

void DiagnosisProgress::onRepeat(std::size_t repeat, const SpanFigures& figures) {
  if (m_keeping != nullptr) m_keeping->onRepeat(repeat, figures);
}

void DiagnosisProgress::onWaiting(const RunPhase& phase) {
  if (m_waits) m_waits->onWaiting(phase);
  if (!m_terminal) return;
  printWaiting(phase.secondsLeft);
  m_shown = true;
}

void DiagnosisProgress::onSnapshot(const RunSnapshot& snapshot) {
  if (m_keeping != nullptr) m_keeping->onSnapshot(snapshot);
  if (!m_terminal) return;
  constexpr std::size_t kWhat = 44;
  const double left = std::max(1.0, m_step.secondsLeft - snapshot.seconds);
  fmt::print(stderr, "\r\x1b[K{:>2} of {}, {} left: {}", m_step.done + 1, m_step.of,
             humanSeconds(static_cast<double>(static_cast<std::uint64_t>(left + 0.5))),
             columnsOf(m_step.what) > kWhat ? fitted(m_step.what, kWhat) : m_step.what);
  std::fflush(stderr);
  m_shown = true;
}

void DiagnosisProgress::clear() {
  if (m_shown) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  m_shown = false;
}

}  // namespace millrace::cli
