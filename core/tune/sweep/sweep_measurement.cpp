// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/tune/sweep/sweep_measurement.h"

#include <algorithm>
#include <utility>

#include "core/tune/block_measurement.h"

namespace millrace {

SweepMeasurement::SweepMeasurement(TrialRunner& runner, SweepSettings settings,
                                   SweepObserver& observer, std::vector<PointState> begun,
                                   const Clock& clock)
    : m_runner(runner), m_settings(settings), m_observer(observer), m_clock(clock) {
  m_result.points = std::move(begun);
}

void SweepMeasurement::stop() {
  m_stopped = true;
  m_runner.stop();
}

TrialStep SweepMeasurement::stepOf(std::size_t point, std::size_t block) const {
  TrialStep step;
  step.point = point;
  step.block = block;
  std::size_t left = 0;
  for (const PointState& state : m_result.points) {
    step.done += state.repeats.size();
    if (!state.failed())
      left += m_settings.blocks - std::min(m_settings.blocks, state.repeats.size());
  }
  step.of = step.done + left;
  const double each =
      m_trials > 0 ? m_trialSeconds / static_cast<double>(m_trials) : m_settings.secondsPerTrial;
  step.secondsLeft = each * static_cast<double>(left);
  return step;
}

bool SweepMeasurement::runTrial(std::size_t point, std::size_t block,
                                std::deque<std::size_t>& queue) {
  const TrialStep step = stepOf(point, block);
  m_observer.onTrial(step);
  const SteadyTime began = m_clock.now();
  TrialOutcome outcome = m_runner.run(point);
  if (outcome.kind == TrialOutcome::Kind::Stopped) return false;
  m_trialSeconds += toSeconds(m_clock.now() - began);
  ++m_trials;
  PointState& state = m_result.points[point];
  if (outcome.kind == TrialOutcome::Kind::Failed) {
    state.failure = std::move(outcome.reason);
    m_observer.onFailed(step, state.failure);
  } else if (isDisturbed({outcome.figures}) && m_result.replaced < m_settings.mostReplaced) {
    ++m_result.replaced;
    m_observer.onReplaced(step, outcome.figures);
    queue.push_back(point);
  } else {
    state.repeats.push_back(std::move(outcome.figures));
    m_observer.onMeasured(step, state.repeats.back());
  }
  return true;
}

bool SweepMeasurement::runBlock(std::size_t block) {
  std::deque<std::size_t> queue;
  for (const std::size_t point : blockOrder(m_settings.seed, block, m_result.points.size())) {
    const PointState& state = m_result.points[point];
    if (!state.failed() && state.repeats.size() <= block) queue.push_back(point);
  }
  while (!queue.empty()) {
    const std::size_t point = queue.front();
    queue.pop_front();
    if (m_stopped || !runTrial(point, block, queue)) return false;
  }
  return true;
}

SweepResult SweepMeasurement::run() {
  for (std::size_t block = 0; block < m_settings.blocks && !m_result.stopped; ++block)
    m_result.stopped = !runBlock(block);
  return std::move(m_result);
}

}  // namespace millrace
