// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/formats/open_file.h"

namespace millrace {

/// Zstandard frames (RFC 8878), bzip2 streams, a Brotli stream (RFC 7932), one Snappy block without
/// frames around it. Gzip is `unpacked`.
enum class Compression : unsigned char { Zstd, Bzip2, Brotli, Snappy };

/// What a file so compressed holds, in a file without a name, as `unpacked` makes one. More than
/// `most` bytes are an error, so that a small file cannot fill the disk; so is damage, named by its
/// place where the format lets it be known, in a sentence without the file's name. Memory does not
/// grow with the content, but Snappy's, which lies there whole.
Result<OpenFile> uncompressed(const OpenFile& file, Compression compression, std::uint64_t most);

}  // namespace millrace
