// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep/sweep_trial.h"

#include <utility>

#include "core/nodes/builtin.h"

namespace millrace::cli {

namespace {

TrialRules rulesOf(const SweepArguments& arguments, const SweepMeaning& meaning) {
  TrialRules rules;
  rules.measure = meaning.measure;
  rules.limits = meaning.limits;
  rules.maxFailures = arguments.maxFailures.text;
  rules.noFuse = arguments.pipeline.noFuse;
  return rules;
}

}  // namespace

SweepTrialRunner::SweepTrialRunner(const SweepPlan& plan, const Graph& graph,
                                   const SweepArguments& arguments, const SweepMeaning& meaning,
                                   TrialHearer hearer)
    : m_plan(plan), m_graph(graph), m_trial(rulesOf(arguments, meaning), std::move(hearer)) {}

TrialOutcome SweepTrialRunner::run(std::size_t point) {
  const Result<Graph> graph =
      withSettings(m_graph, builtinCatalog(), m_plan.axes, m_plan.points[point].values);
  if (!graph) return {TrialOutcome::Kind::Failed, graph.error().message, {}};
  return m_trial.run(*graph);
}

}  // namespace millrace::cli
