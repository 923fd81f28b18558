// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data/dtype.h"

namespace millrace {

/// Converts `count` numbers of any type except Encoded to f64. i64 values beyond 2^53 are rounded
/// to nearest.
void toDoubles(DType type, const std::byte* from, std::size_t count, double* to);
/// Converts f64 to numbers of any type except Encoded, rounding to nearest even. Integers are
/// clamped to the type's range; NaN becomes 0.
void fromDoubles(const double* from, std::size_t count, DType type, std::byte* to);

}  // namespace millrace
