// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for libavif in a build without it.
#include "core/codecs/parts/part_decoders.h"

namespace millrace {

CodecLibrary avifLibrary() { return {}; }

std::unique_ptr<Codec> makeAvifDecoder(const DecodeLimits&) { return missingDecoder("avif"); }

std::uint32_t countAvifFrames(const ReadBytes&) { return 0; }

}  // namespace millrace
