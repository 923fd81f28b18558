// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "core/base/mutex.h"
#include "core/jobs/compare/comparison_sides.h"
#include "core/own_loader/loader_run.h"
#include "core/tune/plan_measurer.h"

namespace millrace {

/// Measures the sides of a comparison, whatever each is. `measure` on one thread; `stop` and
/// `cancel` from any.
class SideRuns final : public SideMeasurer {
 public:
  /// Gets what the first batch of a side's loader shows, in every repeat, on its sampling
  /// thread.
  using OnLoader = std::function<void(std::size_t side, const LoaderFacts&)>;

  /// `observers` has one for each side, which gets every repeat as repeat 0. Everything that is
  /// passed must outlive this object.
  SideRuns(const ComparisonSides& sides, std::vector<RunObserver*> observers,
           const MeasureSettings& settings, OnLoader onLoader);

  Result<RunResult> measure(std::size_t side) override;
  void stop() override;
  void cancel() override;

 private:
  Result<RunResult> measureLoader(std::size_t side, const OwnLoader& loader);

  const ComparisonSides& m_sides;
  const std::vector<RunObserver*> m_observers;
  MeasureSettings m_settings;
  const OnLoader m_onLoader;
  PlanMeasurer m_plans;
  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  LoaderRun* m_loader MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
