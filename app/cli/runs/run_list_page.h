// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/store/run_query.h"

namespace millrace::cli {

// Lists of runs, with a newline at the end. `columns` are those of the query that returned the
// runs; without any, each page has its own.

/// For the user, at most 80 columns wide, one line for each run.
std::string runListText(const std::vector<RunSummary>& runs,
                        const std::vector<QueryField>& columns);
/// An array with each run's summaryJson, and `columns` by name if there are any.
std::string runListJson(const std::vector<RunSummary>& runs,
                        const std::vector<QueryField>& columns);
/// For scripts: a header, then one line for each run; times in UTC, numbers in base units, empty if
/// absent.
std::string runListCsv(const std::vector<RunSummary>& runs, const std::vector<QueryField>& columns);

/// The default columns of a CSV file.
std::string csvColumns();

}  // namespace millrace::cli
