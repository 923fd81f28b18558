// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common/rate_json.h"

#include <nlohmann/json.hpp>

#include "app/cli/common/json_text.h"

namespace millrace::cli {

Json rateJson(const RateFigures& rate) {
  return {{"mean", orNull(rate.mean)},
          {"ci95_low", orNull(rate.ci95Low)},
          {"ci95_high", orNull(rate.ci95High)}};
}

}  // namespace millrace::cli
