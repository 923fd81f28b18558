// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/codecs/codec_entry.h"

namespace millrace {

/// The decoder of TIFF files by libtiff. In a build without the part `tiff` it refuses every
/// file and names the package.
std::unique_ptr<Codec> makeTiffDecoder(const DecodeLimits& limits);

/// The linked library; without a name if there is none.
CodecLibrary tiffLibrary();

}  // namespace millrace
