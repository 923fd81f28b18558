// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/compare/comparison.h"
#include "core/graph/graph.h"

namespace millrace {

// How compareRuns makes its parts; nobody else needs them. The reference is the first run.

/// A run with its document, where that can be read.
struct ReadRun {
  const KeptRun* run = nullptr;
  std::optional<Graph> graph;
  std::optional<GraphDiff> diff;  ///< of the reference's document and this one
};

std::vector<SettingRow> settingRows(std::span<const ReadRun> runs, const Catalog& catalog);
std::vector<FigureRow> figureRows(std::span<const ReadRun> runs);
Verdict verdictOf(const KeptRun& reference, const KeptRun& run, std::vector<std::string> notAlike);

}  // namespace millrace
