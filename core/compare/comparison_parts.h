// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/compare/comparison.h"
#include "core/graph/graph.h"

namespace millrace {

// The parts of compareRuns; for this room only. The first run is the reference.

/// A run with its pipeline; `graph` is absent if the document is unreadable.
struct ReadRun {
  const KeptRun* run = nullptr;
  std::optional<Graph> graph;
  std::optional<GraphDiff> diff;  ///< from the reference's document to this one
};

std::vector<SettingRow> settingRows(std::span<const ReadRun> runs, const Catalog& catalog);
std::vector<FigureRow> figureRows(std::span<const ReadRun> runs);
Verdict verdictOf(const KeptRun& reference, const KeptRun& run, std::vector<std::string> notAlike);

}  // namespace millrace
