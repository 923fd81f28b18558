// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/formats/open_file.h"

namespace millrace {

/// What a file of Zstandard frames (RFC 8878) holds, in a file without a name, as `unpacked` makes
/// one. More than `most` bytes are an error, so that a small file cannot fill the disk; so is
/// damage, named by its place, in a sentence without the file's name.
Result<OpenFile> unpackedZstd(const OpenFile& file, std::uint64_t most);

}  // namespace millrace
