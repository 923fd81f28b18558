// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/analysis/what_if.h"

namespace millrace {

/// Whether a prediction is worth telling: its interval is within half of the rate to either side. A
/// wider one, such as 0 to 44 000, comes from a disturbed run or one that the model does not fit.
inline bool isWorthTelling(const RatePrediction& predicted) {
  constexpr double kMostError = 0.5;
  return predicted.low >= (1 - kMostError) * predicted.middle &&
         predicted.high <= (1 + kMostError) * predicted.middle;
}

}  // namespace millrace
