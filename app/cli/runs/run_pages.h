// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/compare/kept_run.h"
#include "core/store/prediction_record.h"

namespace millrace::cli {

// The output of `millrace runs show`, with a newline at the end.

/// Everything kept of a run except its pipeline and series, at most 80 columns; `allSettings`
/// includes settings at their default.
std::string runText(const KeptRun& run, bool allSettings,
                    const std::vector<PredictionRecord>& predictions);
/// What is kept of the object printed by `millrace run --json`, plus the fields of the list and
/// `notes engine_version settings document measured_together_with` (the other runs of its
/// comparison; null if it was measured alone) and `predictions`, which an export leaves empty.
std::string runJson(const KeptRun& run, const std::vector<PredictionRecord>& predictions = {});

}  // namespace millrace::cli
