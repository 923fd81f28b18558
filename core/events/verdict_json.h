// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/analysis/verdict.h"

namespace millrace {

/// `kind` (faster slower ~ "too few" "not alike") `measured` (together apart) `ratio`
/// `ratio_ci95_low ratio_ci95_high p smallest_difference repeats` (of A and of B) `more_wanted
/// differs sentence`. Null if absent.
nlohmann::json verdictJson(const Verdict& verdict, const std::string& a, const std::string& b);

}  // namespace millrace
