// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"

namespace millrace {

/// Unpacks a stream of LZF (the format of Marc Lehmann's liblzf) to the front of `to`; gives how
/// many bytes it made. The stream has no head, no sum and no end mark: it is tokens one behind the
/// other, of which the first byte's upper three bits, read as a number, say what they are:
///   0        a literal: as many bytes follow as its lower five bits say, and one
///   1 to 6   a back reference: its length is this number and two, its distance back from the end
///            of what is unpacked the lower five bits, 256 times, and the next byte, and one
///   7        the same with one byte in between, which is added to the length
/// A reference longer than its distance repeats what it has made itself. The error is a sentence
/// that begins with "its LZF stream": it is cut short, refers to before its begin, or holds more
/// than `to`.
Result<std::size_t> unpackLzf(std::span<const std::byte> packed, std::span<std::byte> to);

}  // namespace millrace
