// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace millrace {

/// Element type of a field. Encoded: the bytes of an encoded file (JPEG, PNG, ...), one byte string
/// of any length per sample.
enum class DType : std::uint8_t { U8, I8, U16, I16, I32, I64, F16, BF16, F32, F64, Encoded };

/// Size of one element in bytes; 1 for Encoded.
std::size_t sizeOf(DType type);
/// "u8", "f32", "encoded", ...
std::string_view nameOf(DType type);
std::optional<DType> dtypeNamed(std::string_view name);
bool isFloat(DType type);

}  // namespace millrace
