// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/codecs/read_bytes.h"
#include "core/codecs/several_pictures.h"

namespace millrace {

// The pages of a TIFF file, by its directories alone (TIFF 6.0, section 2; BigTIFF): no library, no
// pixels.

/// The offsets of the directories of a file's pages, in order. Directories that are marked as a
/// smaller copy or as a mask of another page are left out. Empty: not a TIFF file, or without a
/// readable page. Ends where the chain of directories is damaged or repeats, or after `most` pages.
std::vector<std::uint64_t> tiffPages(const ReadBytes& read, std::size_t most = kMostPictures);

/// Changes the file so that this directory is its first and only one: then any reader sees the page
/// alone. False if the file does not hold the directory.
bool selectTiffPage(std::span<std::byte> file, std::uint64_t directory);

}  // namespace millrace
