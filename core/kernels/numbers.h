// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "core/data/dtype.h"

namespace millrace {

/// `count` numbers of any type but Encoded as f64. i64 beyond 2^53 is rounded to nearest.
void toDoubles(DType type, const std::byte* from, std::size_t count, double* to);
/// f64 to f32 or f64, to nearest even; false for another type.
bool fromDoubles(const double* from, std::size_t count, DType type, std::byte* to);

}  // namespace millrace
