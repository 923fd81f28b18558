// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"

namespace millrace {

/// Decompresses an LZF stream (the format of Marc Lehmann's liblzf) into the front of `to`; returns
/// the number of bytes written. The stream is a sequence of tokens without header, checksum or end
/// mark. The upper three bits of a token's first byte, as a number, give its kind:
///   0        literal: the lower five bits plus one is the number of bytes that follow
///   1 to 6   back reference: its length is this number plus two; its distance from the end of the
///            output is the lower five bits times 256, plus the next byte, plus one
///   7        back reference whose length is increased by an additional byte before the last
/// A reference longer than its distance repeats its own output. The error starts with "its LZF
/// stream": it is truncated, refers to before the start of the output, or contains more than `to`.
Result<std::size_t> unpackLzf(std::span<const std::byte> packed, std::span<std::byte> to);

}  // namespace millrace
