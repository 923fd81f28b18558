// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/compare/comparison.h"

namespace millrace::cli {

struct ComparisonTextOptions {
  bool allSettings = false;
  bool graph = false;
  std::vector<std::string> metrics;  ///< ids; empty: those that differ
};

/// The comparison for the user, at most 80 columns and without colour: the runs, the verdicts,
/// figures, settings, and other differences. Up to four runs are side by side, more are below each
/// other.
std::string keptComparisonText(const Comparison& comparison, const ComparisonTextOptions& options);

}  // namespace millrace::cli
