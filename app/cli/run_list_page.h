// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/store/run_record.h"

namespace millrace::cli {

// What `millrace runs list` prints, newline at the end.

std::string runListText(const std::vector<RunSummary>& runs);
/// An array of what summaryJson says of each.
std::string runListJson(const std::vector<RunSummary>& runs);

}  // namespace millrace::cli
