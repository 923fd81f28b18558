// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/compare/side_runs.h"

#include <utility>

namespace millrace {

namespace {

/// A loader's run as that of a pipeline.
class AsPipeline final : public LoaderRunObserver {
 public:
  AsPipeline(RunObserver& observer, std::function<void(const LoaderFacts&)> onLoader)
      : m_observer(observer), m_onLoader(std::move(onLoader)) {}

  void onLoader(const LoaderFacts& facts) override { m_onLoader(facts); }
  void onWaiting(const RunPhase& phase) override { m_observer.onWaiting(phase); }
  void onPhase(const RunPhase& phase) override { m_observer.onPhase(phase); }
  void onSnapshot(const RunSnapshot& snapshot) override { m_observer.onSnapshot(snapshot); }
  void onWindow(std::size_t repeat, const RateWindow& window) override {
    m_observer.onWindow(repeat, window);
  }
  void onRepeat(std::size_t repeat, const SpanFigures& figures) override {
    m_observer.onRepeat(repeat, figures);
  }

 private:
  RunObserver& m_observer;
  const std::function<void(const LoaderFacts&)> m_onLoader;
};

/// A loader's side has no plan; it is never asked for.
std::vector<PlanSide> plansOf(const ComparisonSides& sides,
                              const std::vector<RunObserver*>& observers) {
  std::vector<PlanSide> plans(sides.size());
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (const PipelineSide* pipeline = sides[i]->asPipeline())
      plans[i] = {&pipeline->prepared.plan, &pipeline->caches, observers[i]};
  return plans;
}

}  // namespace

SideRuns::SideRuns(const ComparisonSides& sides, std::vector<RunObserver*> observers,
                   const MeasureSettings& settings, OnLoader onLoader)
    : m_sides(sides),
      m_observers(std::move(observers)),
      m_settings(settings),
      m_onLoader(std::move(onLoader)),
      m_plans(plansOf(sides, m_observers), settings) {
  m_settings.repeats = 1;
}

Result<RunResult> SideRuns::measure(std::size_t side) {
  const OwnLoader* loader = m_sides[side]->asLoader();
  return loader == nullptr ? m_plans.measure(side) : measureLoader(side, *loader);
}

Result<RunResult> SideRuns::measureLoader(std::size_t side, const OwnLoader& loader) {
  AsPipeline observer(*m_observers[side],
                      [this, side](const LoaderFacts& facts) { m_onLoader(side, facts); });
  LoaderRun run(loader, m_settings, observer);
  {
    const MutexLock lock(m_mutex);
    m_loader = &run;
    if (m_stopped) run.stop();
  }
  Result<RunResult> result = run.run();
  const MutexLock lock(m_mutex);
  m_loader = nullptr;
  return result;
}

void SideRuns::stop() {
  m_plans.stop();
  const MutexLock lock(m_mutex);
  m_stopped = true;
  if (m_loader != nullptr) m_loader->stop();
}

void SideRuns::cancel() {
  m_plans.cancel();
  stop();
}

}  // namespace millrace
