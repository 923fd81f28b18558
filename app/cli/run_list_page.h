// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/store/run_query.h"

namespace millrace::cli {

// Lists of runs, newline at the end. `columns` are those of the query that gave the runs; where it
// had none, each page has its own.

/// For a person, at most 80 columns wide, a line a run.
std::string runListText(const std::vector<RunSummary>& runs,
                        const std::vector<QueryField>& columns);
/// An array of what summaryJson says of each, with `columns` by name where there are any.
std::string runListJson(const std::vector<RunSummary>& runs,
                        const std::vector<QueryField>& columns);
/// For a script: a head line, then a line a run; times in UTC, numbers in base units, absent empty.
std::string runListCsv(const std::vector<RunSummary>& runs, const std::vector<QueryField>& columns);

/// The columns of a CSV file that asks for none.
std::string csvColumns();

}  // namespace millrace::cli
