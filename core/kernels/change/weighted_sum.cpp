// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/change/weighted_sum.h"

#include "core/kernels/colour/colour_rules.h"

namespace millrace {

void addWeighted(const std::uint8_t* bytes, std::size_t count, float share, float* sums) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += static_cast<float>(bytes[i]) * share;
}

void cutToBytes(const float* sums, std::size_t count, std::uint8_t* bytes) {
  for (std::size_t i = 0; i < count; ++i) bytes[i] = cutToByte(sums[i]);
}

}  // namespace millrace
