// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/data/sample.h"

namespace millrace {

// A sample as a cache keeps it in a file (README: "A record"): a head, a head for each field, the
// fields' bytes, each part in units of 64 bytes, so that values are aligned where the record is.

inline constexpr std::size_t kRecordUnit = 64;
/// What a place in a cache can say (cache_place.h).
inline constexpr std::size_t kLargestRecord = ((std::size_t{1} << 24U) - 1) * kRecordUnit;

/// Bytes of the record of the sample's first `fields` fields; 0 where it would be too large, or a
/// value has another number of bytes than its type and shape say.
std::size_t recordBytes(const Sample& sample, std::size_t fields);

/// Writes that record to `to`, which has room for recordBytes.
void writeRecord(const Sample& sample, std::size_t fields, std::byte* to);

/// Lets the sample's first `fields` fields borrow what the record of its index holds. False, and
/// the sample as it was, where the record is damaged, of another index or of other fields: any
/// bytes may be given. `record` is 64-byte aligned and followed by Buffer::kPadding readable bytes.
bool lendRecord(std::span<std::byte> record, std::size_t fields, Sample& sample);

}  // namespace millrace
