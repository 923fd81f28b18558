// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/sweep/sweep_arguments.h"
#include "core/jobs/search/graph_trial.h"

namespace millrace::cli {

/// The trials of a sweep. All arguments must outlive the runner.
class SweepTrialRunner final : public TrialRunner {
 public:
  /// `graph` has absolute paths.
  SweepTrialRunner(const SweepPlan& plan, const Graph& graph, const SweepArguments& arguments,
                   const SweepMeaning& meaning, TrialHearer hearer);

  TrialOutcome run(std::size_t point) override;
  void stop() override { m_trial.stop(); }
  /// The last trial's data.
  const TrialReport& telling() const { return m_trial.telling(); }

 private:
  const SweepPlan& m_plan;
  const Graph& m_graph;
  GraphTrial m_trial;
};

}  // namespace millrace::cli
