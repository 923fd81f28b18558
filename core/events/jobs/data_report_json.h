// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/inspect/report/data_report.h"

namespace millrace {

/// The object that `millrace inspect --all --json` prints (docs/reference/data-report.md); not
/// `indented`: on one line. Text that is not UTF-8 gets U+FFFD; such names of samples also have
/// their bytes as Base64.
std::string dataReportJson(const DataReport& report, bool indented = true);
/// The same as the last line of its event stream, without the newline.
std::string dataReportEvent(double time, const DataReport& report);

/// Reads either of them. Missing values stay empty. nullopt: the text is not a JSON object. Any
/// thread; never throws.
std::optional<DataReport> parseDataReport(std::string_view json);

}  // namespace millrace
