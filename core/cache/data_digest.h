// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/spec/source.h"

namespace millrace {

/// The digest by which a cache identifies a source's data: 64-bit FNV-1a over the fields, the
/// classes and, in order, each sample's name and the paths and stamps (formats/file_stamp.h) of its
/// files. Checks every file on up to eight threads, which takes about a second for a million files
/// whose metadata is in memory. Samples without a file are identified by their names alone.
std::uint64_t dataDigest(const Source& source);

}  // namespace millrace
