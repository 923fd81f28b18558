// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/compare/comparison.h"

namespace millrace {

struct ComparisonPageOptions {
  std::string engineVersion;  ///< of the program that makes the page
  WallTime made{};
};

/// The comparison as one page that needs nothing else: no script, no other file, nothing from the
/// net. HTML that is well-formed XML, too; light or dark as the reader's system is, printed light.
/// Every plot has its figures in words; colour never tells anything alone.
std::string comparisonPage(const Comparison& comparison, const ComparisonPageOptions& options);

}  // namespace millrace
