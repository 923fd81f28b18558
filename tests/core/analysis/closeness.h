// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace millrace::tests {

/// `tolerance` is relative to the expected value, or to 1 if that is larger.
inline bool close(double value, double expected, double tolerance = 1e-9) {
  return std::abs(value - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

}  // namespace millrace::tests
