// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/compare/comparison.h"

namespace millrace {

struct ComparisonPageOptions {
  std::string engineVersion;  ///< of the program that writes the page
  WallTime made{};
};

/// The comparison as one self-contained page: no scripts, no other files, no network. The HTML is
/// also well-formed XML. Colours follow the reader's light or dark theme; printing is always light.
/// Every plot states its figures in words, and colour is never the only carrier of information.
std::string comparisonPage(const Comparison& comparison, const ComparisonPageOptions& options);

}  // namespace millrace
