// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/store/prediction_record.h"

namespace millrace::cli {

/// "2 310 [2 190, 2 430], measured 2 250: 3 % off"; without the measurement if there is none.
std::string predictionText(const PredictionRecord& prediction);

/// The prediction's error relative to the measurement: 0.03 is 3 %. nullopt if nothing was
/// measured.
std::optional<double> errorOf(const PredictionRecord& prediction);
/// The error of assuming that the edit changes nothing. nullopt if that rate was not kept either.
std::optional<double> noChangeErrorOf(const PredictionRecord& prediction);

}  // namespace millrace::cli
