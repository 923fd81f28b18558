// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace millrace {

/// Unpacks `count` bits of `from`, starting at bit `first` and with the most significant bit of
/// each byte first, to bytes of 0 and 1. `from` must contain these bits.
void unpackBits(const std::byte* from, std::size_t first, std::size_t count, std::uint8_t* to);

}  // namespace millrace
