// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/tune/tune_task.h"

#include "core/graph/json/graph_json.h"
#include "core/jobs/common/setting_check.h"
#include "core/nodes/builtin.h"
#include "core/tune/run_counters_of.h"

namespace millrace {

double TuneTask::usableCores() const {
  if (coreLimit) return *coreLimit;
  return surroundingsOf(facts).cores.value_or(1);
}

TrialDocument documentOf(const TuneTask& task, const Graph& graph) {
  TrialDocument document{graphText(graph, builtinCatalog()), {}};
  CheckOptions options;
  options.base = task.prepared.base;
  const CheckResult checked = checkSetting(graph, options);
  if (!checked.pipeline) return document;
  for (const CheckedNode& node : checked.pipeline->nodes)
    for (const auto& [param, value] : node.values)
      document.settings.push_back({node.id, param, settingValueOf(value)});
  return document;
}

Result<Graph> graphOf(const TuneTask& task, const std::vector<TuneAxis>& axes,
                      const std::vector<Advice>& edits, const TunePoint& point) {
  if (edits.empty()) return task.graph;
  return graphAt(task.graph, builtinCatalog(), axes, point);
}

}  // namespace millrace
