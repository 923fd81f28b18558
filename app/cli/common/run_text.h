// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/store/run_record.h"

namespace millrace::cli {

// Text about a kept run that several pages use.

/// Local time to the second, "2026-11-21 09:30:05".
std::string localTime(WallTime time);
/// The same in UTC, "2026-11-21T09:30:05Z".
std::string isoTime(WallTime time);
/// "12".
std::string numberOf(const RunSummary& run);
/// The settings with which a sweep or tuning measured the run: "workers.count=2", "unmodified";
/// empty for other runs.
std::string trialText(const RunSummary& run);
/// `run_id uid started finished state reason experiment name pipeline tags baseline
/// failed_samples samples_per_second` (`mean ci95_low ci95_high`).
nlohmann::json summaryJson(const RunSummary& run);

}  // namespace millrace::cli
