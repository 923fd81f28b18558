// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/analysis/verdict.h"
#include "widgets/runs/run_column.h"

namespace millrace {

/// Runs for other programs: plain numbers in base units, dates in UTC, empty if a run has no value.
/// The rate's interval takes two further columns; change and verdict are written if they are known.
/// The same in every locale.
struct RunTableText {
  std::vector<RunColumn> columns;
  std::optional<RunSummary> baseline;
  std::map<std::int64_t, Verdict> verdicts;

  std::string csv(const std::vector<RunSummary>& runs) const;
  /// A list of objects by column id.
  std::string json(const std::vector<RunSummary>& runs) const;
};

}  // namespace millrace
