// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/plan_measurer.h"

#include <utility>

namespace millrace {

PlanMeasurer::PlanMeasurer(std::vector<PlanSide> sides, MeasureSettings settings,
                           const Clock& clock)
    : m_sides(std::move(sides)), m_settings(settings), m_clock(clock) {
  m_settings.repeats = 1;
}

Result<RunResult> PlanMeasurer::measure(std::size_t side) {
  const PlanSide& measured = m_sides.at(side);
  MeasuredRun run(*measured.plan, *measured.caches, m_settings, *measured.observer, m_clock);
  {
    const MutexLock lock(m_mutex);
    if (m_stopped) {
      RunResult none;
      none.outcome = RunOutcome::Interrupted;
      none.reason = "stopped";
      return none;
    }
    m_running = &run;
  }
  Result<RunResult> result = run.run();
  const MutexLock lock(m_mutex);
  m_running = nullptr;
  return result;
}

void PlanMeasurer::stop() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_running != nullptr) m_running->stop();
}

void PlanMeasurer::cancel() {
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_running != nullptr) m_running->cancel();
}

}  // namespace millrace
