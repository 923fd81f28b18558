// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/io/block_reader.h"
#include "core/formats/io/open_file.h"

namespace millrace {

/// A file's hash as an index lists it.
struct FileHash {
  std::string kind;    ///< "xxh64", "sha1", ...
  std::string digits;  ///< lower-case hexadecimal, most significant first
};

/// Whether `compareHashes` supports the kind: xxh32, xxh64, xxh3_64, and xxh128, also called
/// xxh3_128 (xxHash with seed 0, see doc/xxhash_spec.md of xxHash).
bool isKnownHash(std::string_view kind);
/// The supported kinds, for messages.
std::string_view knownHashes();

/// Compares a file with those of its hashes that are of a supported kind. The file is read once for
/// all of them, and not at all without a supported hash. The error names the kind and both values,
/// not the file.
Status compareHashes(const OpenFile& file, std::span<const FileHash> hashes, ReadBy by);

}  // namespace millrace
