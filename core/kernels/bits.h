// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

/// `count` bits from bit `first` of `from` on, most significant bit of each byte first, as bytes of
/// 0 and 1. The caller has seen to it that `from` holds them.
void unpackBits(const std::byte* from, std::size_t first, std::size_t count, std::uint8_t* to);

}  // namespace millrace
