// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for libtiff in a build without it.
#include "core/codecs/parts/part_decoders.h"

namespace millrace {

CodecLibrary tiffLibrary() { return {}; }

std::unique_ptr<Codec> makeTiffDecoder(const DecodeLimits&) { return missingDecoder("tiff"); }

}  // namespace millrace
