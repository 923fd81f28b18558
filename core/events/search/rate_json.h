// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/measure/run_result.h"

namespace millrace {

/// `mean ci95_low ci95_high`; null if absent.
nlohmann::json rateJson(const RateFigures& rate);

}  // namespace millrace
