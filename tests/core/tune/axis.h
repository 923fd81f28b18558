// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "core/tune/sweep/sweep_plan.h"

namespace millrace::tests {

/// The parameter `n` of this node from 1 to `count`; 1 is the current value.
inline SweepAxis axis(const std::string& node, std::int64_t count) {
  SweepAxis axis{node, "n", {}, std::int64_t{1}};
  for (std::int64_t i = 1; i <= count; ++i) axis.values.emplace_back(i);
  return axis;
}

}  // namespace millrace::tests
