// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/data/sample.h"

namespace millrace {

// The format in which a cache stores a sample in a file: a header, a header for each field, and the
// fields' bytes, each part in units of 64 bytes, little endian, so that values are aligned if the
// record is. For example sample 7, a grey picture of 2x3 pixels and a label, in 320 bytes:
//
//     0    `MRC1`; CRC-32C of everything from byte 8 on; index 7; 2 fields (4 bytes each);
//          320 (8 bytes); 40 zeros
//     64   element type (0: u8), layout (1: hwc), rank 3 (1 byte each); 5 zeros; 6 bytes (8 bytes);
//          2, 3, 1, 0, 0, 0 (8 bytes each)
//     128  element type (5: i64), layout 0, rank 0; 5 zeros; 8 bytes; six zeros
//     192  the 6 pixels, 58 zeros
//     256  the label, 56 zeros

inline constexpr std::size_t kRecordUnit = 64;
/// The largest length of a place (cache_place.h).
inline constexpr std::size_t kLargestRecord = ((std::size_t{1} << 24U) - 1) * kRecordUnit;

/// The size of the record with the sample's first `fields` fields; 0 if it would be too large, or
/// if a value's number of bytes does not match its type and shape.
std::size_t recordBytes(const Sample& sample, std::size_t fields);

/// Writes the record to `to`, which must have room for recordBytes().
void writeRecord(const Sample& sample, std::size_t fields, std::byte* to);

/// Lets the sample's first `fields` fields borrow the values of a record with its index. Returns
/// false and leaves the sample unchanged if the record is damaged, of another index or of other
/// fields; any bytes are allowed. `record` must be 64-byte aligned and followed by Buffer::kPadding
/// readable bytes.
bool lendRecord(std::span<std::byte> record, std::size_t fields, Sample& sample);

}  // namespace millrace
