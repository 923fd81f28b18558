// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/search/rate_json.h"

#include "core/events/search/search_fields.inl"

namespace millrace {

Json rateJson(const RateFigures& rate) {
  RateFigures written = rate;
  return jsonOf(MeanRate{written});
}

}  // namespace millrace
