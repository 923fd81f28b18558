// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/compare/kept_run.h"
#include "core/store/prediction_record.h"

namespace millrace::cli {

// What `millrace runs show` prints, newline at the end.

/// All that is kept of a run but its pipeline and series, at most 80 columns; `allSettings` shows
/// those at their default, too.
std::string runText(const KeptRun& run, bool allSettings,
                    const std::vector<PredictionRecord>& predictions);
/// The object that `millrace run --json` prints, as far as it is kept, with what the list says and
/// `notes engine_version settings document measured_together_with` (the other runs of its
/// comparison; null where it was measured alone) and `predictions`, which an export leaves empty.
std::string runJson(const KeptRun& run, const std::vector<PredictionRecord>& predictions = {});

}  // namespace millrace::cli
