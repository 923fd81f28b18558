// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/io/open_file.h"

namespace millrace {

/// The compression of a shard by the ending of its name, as mosaicml-streaming writes it: "zstd",
/// "gz", "br", ...; empty: none.
std::string_view mdsCompressionOf(std::string_view name);

/// Whether the compression is supported. The error says what to do, without a file name.
Status checkMdsCompression(std::string_view compression);

/// Decompresses a shard into an unnamed file (`unpacked`); returns an uncompressed file itself.
/// More than `most` bytes are an error.
Result<OpenFile> unpackedMds(OpenFile file, std::string_view compression, std::uint64_t most);

}  // namespace millrace
