// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/open_file.h"

namespace millrace {

enum class Packing : unsigned char { None, Gzip, Zlib };

/// By the first bytes of a file. A zlib head is only two bytes long, so ask it last.
Packing packingOf(std::span<const std::byte> head);

/// What a packed file holds, in a file without a name in the folder for temporary files: it goes
/// with its descriptor. Several gzip members behind each other are one content. Memory does not
/// grow with the content; the error (damage with its place, a full disk) is a sentence without the
/// file's name.
Result<OpenFile> unpacked(const OpenFile& file, Packing packing);

/// Bytes of a file that are deflated without a head, and what they are to become.
struct DeflatedRange {
  std::uint64_t offset = 0;
  std::uint64_t packedSize = 0;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;  ///< CRC-32 (gzip's) of the content
};
/// Their content likewise; what has another size or sum is damaged, and is not unpacked further.
Result<OpenFile> inflated(const OpenFile& file, const DeflatedRange& range);

}  // namespace millrace
