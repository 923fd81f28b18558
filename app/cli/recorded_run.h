// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.h"
#include "core/run/run_result.h"
#include "core/store/run_record.h"

namespace millrace::cli {

/// What the store kept of a run, as the result that the run itself gave: the reverse of
/// store_figures.h. What is not kept is absent; figures of an unfinished run come from its finished
/// repeats and windows.
RunResult recordedResult(const RunDetails& details);

/// "workers.count" and its value.
struct ShownSetting {
  std::string name;
  std::string value;
};
/// Settings of the kept pipeline that say how it differs from others: what everyone varies
/// (CONTRACT §1), and what is not at its default.
std::vector<ShownSetting> tellingSettings(const Graph& graph);

}  // namespace millrace::cli
