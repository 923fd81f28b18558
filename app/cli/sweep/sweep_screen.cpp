// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep/sweep_screen.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "app/cli/run/stop_requests.h"
#include "core/base/text/text.h"

namespace millrace::cli {

SweepScreen::SweepScreen(const SweepArguments& arguments, const std::vector<Problem>& warnings)
    : m_arguments(arguments),
      m_warnings(warnings),
      m_progress(!arguments.events && isatty(STDERR_FILENO) != 0,
                 [this](std::size_t point) { return m_plan.settings(point); }) {}

void SweepScreen::end() {
  m_requests.reset();
  m_progress.clear();
}

void SweepScreen::onNotKept(const std::string& sentence) {
  m_progress.clear();
  reportNotKept(sentence);
}

void SweepScreen::onBegin(const SweepBegin& begin) {
  m_plan = begin.plan;
  if (m_arguments.events) {
    m_events.emplace();
    for (const Problem& warning : m_warnings) m_events->problem(warning);
    m_events->sweep(begin, m_arguments.blocks());
    m_requests.emplace(stopRequests(*m_events, m_stop));
  }
  printWhatComes(begin);
}

void SweepScreen::printWhatComes(const SweepBegin& begin) const {
  if (m_arguments.events || m_arguments.json) return;
  // The duration of a number of batches is known after the first of them.
  const std::string about =
      m_arguments.asked.batches
          ? ""
          : ", about " +
                humanSeconds(std::ceil(static_cast<double>(begin.trials) * begin.secondsPerTrial));
  printMessage("{} settings, {} trials{}\n", begin.points.size(), begin.trials, about);
}

void SweepScreen::onTrial(const TrialStep& step, const std::string& runId) {
  m_progress.step(step);
  if (m_events) m_events->trialBegun(step, runId);
}

void SweepScreen::onMeasured(const TrialStep& step, const SpanFigures& repeat,
                             const SpanFigures& all) {
  if (m_events) m_events->measured(step, repeat, all);
}

void SweepScreen::onReplaced(const TrialStep& step, const SpanFigures& repeat) {
  if (m_events) m_events->replaced(step, repeat);
}

void SweepScreen::onFailed(const TrialStep& step, const std::string& reason,
                           const SpanFigures& all) {
  m_progress.clear();
  printMessage("{}: {}\n", singleLine(m_plan.settings(step.point)), singleLine(reason));
  if (m_events) m_events->failed(step, reason, all);
}

void SweepScreen::onWaiting(double mostSeconds) {
  m_progress.waiting(mostSeconds);
  if (m_events) m_events->waiting(mostSeconds);
}

}  // namespace millrace::cli
