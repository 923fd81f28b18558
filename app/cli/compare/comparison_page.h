// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/tune/comparison_outcome.h"

namespace millrace::cli {

/// The page for the user, at most 80 columns: both sides next to each other, the differing
/// settings, the verdict. `storeFlag`: KeepFlags::suggested.
std::string comparisonText(const ComparisonOutcome& outcome, const std::string& storeFlag);

}  // namespace millrace::cli
