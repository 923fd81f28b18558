// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/events/results/shuffle_json.h"

#include "core/events/results/run_fields.inl"

namespace millrace {

std::string shuffleJson(const ShuffleQuality& quality, bool indented) {
  return dumpJson(jsonOf(quality), indented);
}

}  // namespace millrace
