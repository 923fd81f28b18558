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
  std::vector<std::string> metrics;  ///< ids; empty: those that say something
};

/// The comparison for a person, at most 80 columns and without colour: what is compared, the
/// verdicts, figures, settings, and what else was not the same. Up to four runs stand side by side,
/// more one below the other.
std::string keptComparisonText(const Comparison& comparison, const ComparisonTextOptions& options);

}  // namespace millrace::cli
