// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/graph_trial.h"
#include "app/cli/sweep_arguments.h"

namespace millrace::cli {

/// The trials of a sweep. All that is given outlives the runner.
class SweepTrialRunner final : public TrialRunner {
 public:
  /// `graph` has absolute paths.
  SweepTrialRunner(const SweepPlan& plan, const Graph& graph, const SweepArguments& arguments,
                   const SweepMeaning& meaning, TrialHearer hearer);

  TrialOutcome run(std::size_t point) override;
  void stop() override { m_trial.stop(); }
  /// Of the last trial.
  const TrialTelling& telling() const { return m_trial.telling(); }

 private:
  const SweepPlan& m_plan;
  const Graph& m_graph;
  GraphTrial m_trial;
};

}  // namespace millrace::cli
