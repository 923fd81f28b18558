// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/open_file.h"

namespace millrace {

/// What mosaicml-streaming has compressed a shard with, by the end that it gives the name: "zstd",
/// "gz", "br", ...; empty: not at all.
std::string_view mdsCompressionOf(std::string_view name);

/// Whether shards that are so compressed are read. The error says what to do, without a name.
Status checkMdsCompression(std::string_view compression);

/// The shard that a file holds so compressed, in a file without a name (`unpacked`); the file
/// itself where it holds it plain. More than `most` bytes are an error.
Result<OpenFile> unpackedMds(OpenFile file, std::string_view compression, std::uint64_t most);

}  // namespace millrace
