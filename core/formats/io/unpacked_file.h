// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/formats/io/open_file.h"

namespace millrace {

enum class Packing : unsigned char { None, Gzip, Zlib };

/// Detected from a file's first bytes. A zlib header is only two bytes long, so test other formats
/// first.
Packing packingOf(std::span<const std::byte> head);

/// Decompresses a file into an unnamed file in the folder for temporary files, which disappears
/// with its descriptor. Consecutive gzip members form one content. Memory is independent of the
/// content's size. The error (damage with its position, a full disk) does not contain the file's
/// name. With `damage`, damaged content is no error: the result is what comes before the damage,
/// which is described there.
Result<OpenFile> unpacked(const OpenFile& file, Packing packing, std::string* damage = nullptr);

/// A raw deflate stream in a file, and its decompressed size and checksum.
struct DeflatedRange {
  std::uint64_t offset = 0;
  std::uint64_t packedSize = 0;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;  ///< CRC-32 (gzip's) of the content
};
/// Decompresses it in the same way; an error if size or checksum differ. Stops at the expected
/// size.
Result<OpenFile> inflated(const OpenFile& file, const DeflatedRange& range);

}  // namespace millrace
