// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/search/unfinished_sweep.h"

#include <algorithm>

#include "core/graph/json/graph_json.h"
#include "core/jobs/sweep/sweep_facts.h"
#include "widgets/common/strings.h"

namespace millrace {

namespace {

bool isWhole(const TrialRecord& trial) {
  return trial.state == TrialState::Finished || trial.state == TrialState::Failed;
}

/// The sweep that a trial's run describes; nullopt if there is none, or if the workbench cannot
/// express how it was measured.
std::optional<SweepOrder> orderOf(const Facts& facts, const Graph& graph, const Catalog& catalog) {
  const std::optional<SweepDescription> sweep = sweepOf(facts);
  const std::optional<MeasureRecord> measured = measureOf(facts);
  if (!sweep || !measured || !measured->settings.seconds || measured->settings.noRandom ||
      !measured->fused || sweep->seed != graph.seed)
    return std::nullopt;
  SweepOrder order;
  order.design = sweep->design;
  order.repeats = static_cast<int>(sweep->blocks);
  order.seconds = *measured->settings.seconds;
  order.warmupSeconds = measured->settings.warmupSeconds;
  for (const std::string& vary : sweep->vary) {
    const Result<SweepAxis> axis = parseVary(graph, catalog, vary);
    if (!axis) return std::nullopt;
    order.variations.push_back({axis->node, axis->param, vary.substr(axis->name().size() + 1)});
  }
  return order;
}

/// The plan of that order, if it has exactly these trials.
std::optional<SweepPlan> planOf(const SweepOrder& order, const SearchSummary& search,
                                const Graph& graph, const Catalog& catalog) {
  std::vector<SweepAxis> axes;
  for (const SweepVariation& variation : order.variations) {
    Result<SweepAxis> axis = parseVary(graph, catalog, variation.text());
    if (!axis) return std::nullopt;
    axes.push_back(axis.take());
  }
  Result<SweepPlan> plan = planSweep(std::move(axes), order.design, graph.seed);
  if (!plan || plan->points.size() != search.trials.size()) return std::nullopt;
  for (std::size_t p = 0; p < plan->points.size(); ++p)
    if (plan->settings(p) != search.trials[p].settings) return std::nullopt;
  return plan.take();
}

/// Whether the run of trial `point` has this pipeline with that trial's settings.
Result<bool> isOf(RunStore& store, const TrialRecord& trial, const SweepPlan& plan,
                  const Graph& graph, const Catalog& catalog) {
  const Result<std::string> kept = store.pipelineJson(*trial.run);
  if (!kept) return kept.error();
  const Result<Graph> own = withSettings(
      graph, catalog, plan.axes, plan.points[static_cast<std::size_t>(trial.position)].values);
  return own.ok() && *kept == graphText(*own, catalog);
}

Result<bool> isRunning(RunStore& store, const SearchSummary& search) {
  for (const TrialRecord& trial : search.trials) {
    if (!trial.run || isWhole(trial)) continue;
    MILLRACE_ASSIGN_OR_RETURN(const auto details, store.show(*trial.run));
    if (details.summary.state == RunState::Running) return true;
  }
  return false;
}

Result<std::optional<UnfinishedSweep>> asUnfinished(RunStore& store, const SearchSummary& search,
                                                    const Graph& graph, const Catalog& catalog) {
  const std::optional<UnfinishedSweep> none;
  const auto begun = std::ranges::find_if(
      search.trials, [](const TrialRecord& trial) { return trial.run.has_value(); });
  if (begun == search.trials.end()) return none;
  MILLRACE_ASSIGN_OR_RETURN(const bool running, isRunning(store, search));
  if (running) return none;
  MILLRACE_ASSIGN_OR_RETURN(const auto details, store.show(*begun->run));
  std::optional<SweepOrder> order = orderOf(details.environment, graph, catalog);
  if (!order) return none;
  const std::optional<SweepPlan> plan = planOf(*order, search, graph, catalog);
  if (!plan) return none;
  MILLRACE_ASSIGN_OR_RETURN(const bool same, isOf(store, *begun, *plan, graph, catalog));
  if (!same) return none;
  UnfinishedSweep found{toQt(search.experiment), std::move(*order), 0,
                        static_cast<int>(search.trials.size())};
  found.measured = static_cast<int>(std::ranges::count_if(search.trials, isWhole));
  return std::optional(std::move(found));
}

}  // namespace

Result<std::optional<UnfinishedSweep>> unfinishedSweep(RunStore& store, const Graph& graph,
                                                       const Catalog& catalog) {
  MILLRACE_ASSIGN_OR_RETURN(const auto searches, store.searches());
  for (const SearchSummary& search : searches) {
    if (std::ranges::all_of(search.trials, isWhole)) continue;
    auto found = asUnfinished(store, search, graph, catalog);
    if (!found || *found) return found;
  }
  return std::optional<UnfinishedSweep>();
}

}  // namespace millrace
