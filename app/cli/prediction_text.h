// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/store/prediction_record.h"

namespace millrace::cli {

/// "2 310 [2 190, 2 430], measured 2 250: 3 % off"; without the last where nothing was measured.
std::string predictionText(const PredictionRecord& prediction);

/// By how much the prediction was off: 0.03 is 3 %, of what was measured. Absent where nothing was.
std::optional<double> errorOf(const PredictionRecord& prediction);
/// The same for the guess that the edit changes nothing. Absent where that rate is not kept either.
std::optional<double> noChangeErrorOf(const PredictionRecord& prediction);

}  // namespace millrace::cli
