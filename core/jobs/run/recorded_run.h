// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"
#include "core/measure/run_result.h"
#include "core/store/run_record.h"
#include "core/store/trace_folder.h"

namespace millrace {

/// Rebuilds a run's result from the store: the reverse of store_figures.h. What was not kept is
/// absent; figures of an unfinished run come from its finished repeats and windows.
RunResult recordedResult(const RunDetails& details);

/// "workers.count" and its value.
struct ShownSetting {
  std::string name;
  std::string value;
};
/// Settings that show how the kept pipeline differs from others: those varied most often
/// (docs/reference/pipeline-file.md), and those that are not at their default.
std::vector<ShownSetting> tellingSettings(const Graph& graph);

}  // namespace millrace
