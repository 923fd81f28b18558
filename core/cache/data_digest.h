// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/spec/source.h"

namespace millrace {

/// What a cache knows a source's data by: 64-bit FNV-1a over the fields, the classes and, in order,
/// each sample's name and the paths and stamps (formats/file_stamp.h) of the files it lies in. It
/// looks at every file, on up to eight threads: about a second for a million files that the system
/// has in memory. Samples that lie in no file are known by their names alone.
std::uint64_t dataDigest(const Source& source);

}  // namespace millrace
