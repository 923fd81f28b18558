// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for giflib in a build without it.
#include "core/codecs/parts/part_decoders.h"

namespace millrace {

CodecLibrary gifLibrary() { return {}; }

std::unique_ptr<Codec> makeGifDecoder(const DecodeLimits&) { return missingDecoder("gif"); }

}  // namespace millrace
