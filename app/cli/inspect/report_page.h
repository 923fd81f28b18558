// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/inspect/report/data_report.h"

namespace millrace::cli {

/// The report for a terminal: what is wrong first, then the figures of each set.
std::string dataReportPage(const DataReport& report);

}  // namespace millrace::cli
