// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/rate_json.h"

#include <nlohmann/json.hpp>

#include "core/events/json_text.h"

namespace millrace {

Json rateJson(const RateFigures& rate) {
  return {{"mean", orNull(rate.mean)},
          {"ci95_low", orNull(rate.ci95Low)},
          {"ci95_high", orNull(rate.ci95High)}};
}

}  // namespace millrace
