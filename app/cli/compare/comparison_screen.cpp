// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compare/comparison_screen.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "app/cli/common/output.h"
#include "core/base/text/text.h"
#include "core/base/text/visible_name.h"
#include "core/measure/store_figures.h"

namespace millrace::cli {

ComparisonScreen::ComparisonScreen(bool events, std::vector<Problem> prepared)
    : m_prepared(std::move(prepared)), m_progress(!events && isatty(STDERR_FILENO) != 0) {
  if (events) m_waits.emplace(m_events.emplace());
}

void ComparisonScreen::onBegin() {
  if (!m_events) return;
  for (const Problem& problem : m_prepared) m_events->problem(problem);
}

void ComparisonScreen::onWarning(const Problem& problem) {
  if (m_events) m_events->problem(problem);
  printMessage("{}\n", visibleName(problem.text()));
}

void ComparisonScreen::onNotKept(const std::string& sentence) { reportNotKept(sentence); }

void ComparisonScreen::onStep(const BlockStep& step) {
  m_progress.step(step);
  if (m_events) m_events->step(step);
}

void ComparisonScreen::onBlock(std::size_t, const MeasuredBlock& block) {
  if (m_events) m_events->block(block, false);
}

void ComparisonScreen::onReplaced(const MeasuredBlock& block) {
  if (m_events) m_events->block(block, true);
  const auto side = std::ranges::find_if(
      block.sides, [](const SpanFigures& figures) { return !disturbancesIn(figures).empty(); });
  if (side == block.sides.end()) return;
  m_progress.clear();
  printMessage("{}: this block will be measured again\n", join(disturbancesIn(*side), "; "));
}

void ComparisonScreen::onWaiting(const RunPhase& phase) {
  m_progress.onWaiting(phase);
  if (m_waits) m_waits->onWaiting(phase);
}

void ComparisonScreen::onPhase(const RunPhase& phase) {
  m_progress.onPhase(phase);
  if (m_waits) m_waits->onPhase(phase);
}

void ComparisonScreen::onSnapshot(const RunSnapshot& snapshot) { m_progress.onSnapshot(snapshot); }

}  // namespace millrace::cli
