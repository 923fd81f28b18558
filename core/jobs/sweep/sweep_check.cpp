// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/sweep/sweep_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/graph/edit/graph_edit.h"
#include "core/jobs/common/setting_check.h"
#include "core/nodes/builtin.h"

namespace millrace {

namespace {

constexpr std::size_t kShownProblems = 5;

std::vector<SweepAxis> axesOf(const std::vector<std::string>& vary,
                              const PreparedPipeline& prepared, Problems& problems) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : vary) {
    Result<SweepAxis> axis = parseVary(prepared.graph, builtinCatalog(), text);
    if (!axis) {
      problems.error("", text, axis.error().message, "");
      continue;
    }
    const auto& nodes = prepared.plan.pipeline.nodes;
    if (std::ranges::find(nodes, axis->node, &CheckedNode::id) == nodes.end())
      problems.error("", text,
                     fmt::format("`{}` is not between the source and the consumer, so its "
                                 "values have no effect",
                                 axis->node),
                     "");
    else
      axes.push_back(axis.take());
  }
  return axes;
}

/// The first error of a setting; nullopt if it is valid.
std::optional<std::string> firstErrorOf(const PreparedSweep& sweep, const CheckOptions& options,
                                        std::size_t point) {
  const Result<Graph> graph =
      withSettings(sweep.graph, builtinCatalog(), sweep.plan.axes, sweep.plan.points[point].values);
  if (!graph) return graph.error().message;
  const CheckResult checked = checkSetting(*graph, options);
  for (const Problem& problem : checked.problems.all())
    if (problem.severity == Severity::Error) return problem.text();
  return std::nullopt;
}

bool checkPoints(const PreparedSweep& sweep, bool noRandom, Problems& problems) {
  CheckOptions options;
  options.base = sweep.prepared.base;
  options.noRandom = noRandom;
  std::size_t wrong = 0;
  for (std::size_t p = 0; p < sweep.plan.points.size(); ++p) {
    const auto error = firstErrorOf(sweep, options, p);
    if (!error || ++wrong > kShownProblems) continue;
    problems.error("", "", fmt::format("{}: {}", sweep.plan.settings(p), *error), "");
  }
  if (wrong > kShownProblems)
    problems.error("", "", fmt::format("and {} more settings", wrong - kShownProblems), "");
  return wrong == 0;
}

}  // namespace

std::optional<PreparedSweep> prepareSweep(PreparedPipeline prepared,
                                          const std::vector<std::string>& vary,
                                          const SweepDesign& design, bool noRandom,
                                          Problems& problems) {
  std::vector<SweepAxis> axes = axesOf(vary, prepared, problems);
  if (axes.size() < vary.size()) return std::nullopt;
  if (const Status used = checkUsed(prepared.graph, builtinCatalog(), axes); !used) {
    problems.error("", "", used.error().message, "");
    return std::nullopt;
  }
  Result<SweepPlan> plan = planSweep(std::move(axes), design, prepared.graph.seed);
  if (!plan) {
    problems.error("", "", plan.error().message, "");
    return std::nullopt;
  }
  Graph graph = withAbsolutePaths(prepared.graph, builtinCatalog(), prepared.base);
  PreparedSweep sweep{std::move(prepared), std::move(graph), plan.take()};
  if (!checkPoints(sweep, noRandom, problems)) return std::nullopt;
  return sweep;
}

}  // namespace millrace
