// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/mutex.h"
#include "core/graph/plan.h"
#include "core/measure/measured_run.h"
#include "core/tune/block_measurement.h"

namespace millrace {

/// A pipeline as a side of a block. The pointers must stay valid for the lifetime of the measurer.
struct PlanSide {
  const Plan* plan = nullptr;
  const CacheSet* caches = nullptr;  ///< kept from block to block (docs/reference/figures.md)
  RunObserver* observer = nullptr;   ///< notified of every repeat as repeat 0
};

/// Measures plans by real runs, each repeat a MeasuredRun; all sides have the same settings.
/// `measure` on one thread; `stop` and `cancel` from any.
class PlanMeasurer final : public SideMeasurer {
 public:
  PlanMeasurer(std::vector<PlanSide> sides, MeasureSettings settings,
               const Clock& clock = steadyClock());

  Result<RunResult> measure(std::size_t side) override;
  void stop() override;
  void cancel() override;

 private:
  const std::vector<PlanSide> m_sides;
  MeasureSettings m_settings;
  const Clock& m_clock;

  Mutex m_mutex;
  bool m_stopped MILLRACE_GUARDED_BY(m_mutex) = false;
  MeasuredRun* m_running MILLRACE_GUARDED_BY(m_mutex) = nullptr;
};

}  // namespace millrace
