// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/formats/io/open_file.h"

namespace millrace {

/// Zstandard frames (RFC 8878), bzip2 streams, a Brotli stream (RFC 7932), or one Snappy block
/// without framing. For gzip see `unpacked`.
enum class Compression : unsigned char { Zstd, Bzip2, Brotli, Snappy };

/// Fails if this build lacks the part that decompresses it (core/base/parts.h).
Status checkCompression(Compression compression);

/// Decompresses a file into an unnamed temporary file, like `unpacked`. Content of more than `most`
/// bytes is an error, so that a small file cannot fill the disk. Damage is an error too, with its
/// position if the format reveals it. The error does not contain the file's name; also
/// that of checkCompression(). Memory is
/// independent of the content's size, except for Snappy, which is held completely.
Result<OpenFile> uncompressed(const OpenFile& file, Compression compression, std::uint64_t most);

}  // namespace millrace
