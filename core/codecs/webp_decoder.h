// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/codecs/codec_entry.h"

namespace millrace {

/// The decoder of WebP files by libwebp. In a build without the part `webp` it refuses every
/// file and names the package.
std::unique_ptr<Codec> makeWebpDecoder(const DecodeLimits& limits);

/// The linked library; without a name if there is none.
CodecLibrary webpLibrary();

}  // namespace millrace
