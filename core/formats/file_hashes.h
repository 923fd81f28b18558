// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/block_reader.h"
#include "core/formats/open_file.h"

namespace millrace {

/// A hash that an index names for a file.
struct FileHash {
  std::string kind;    ///< "xxh64", "sha1", ...
  std::string digits;  ///< small hexadecimal ones, the most significant first
};

/// Whether `compareHashes` knows the kind: xxh32, xxh64, xxh3_64, and xxh128, also called xxh3_128
/// (xxHash with seed 0; doc/xxhash_spec.md there).
bool isKnownHash(std::string_view kind);
/// Those kinds, for messages.
std::string_view knownHashes();

/// Compares a whole file with those of its hashes that are of a known kind. It is read once,
/// however many these are, and not at all where there is none. The error names the kind, what was
/// found and what should be, and not the file.
Status compareHashes(const OpenFile& file, std::span<const FileHash> hashes, ReadBy by);

}  // namespace millrace
