// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for libwebp in a build without it.
#include "core/codecs/parts/part_decoders.h"

namespace millrace {

CodecLibrary webpLibrary() { return {}; }

std::unique_ptr<Codec> makeWebpDecoder(const DecodeLimits&) { return missingDecoder("webp"); }

}  // namespace millrace
