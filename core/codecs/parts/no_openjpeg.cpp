// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for OpenJPEG in a build without it.
#include "core/codecs/parts/part_decoders.h"

namespace millrace {

CodecLibrary jpeg2000Library() { return {}; }

std::unique_ptr<Codec> makeJpeg2000Decoder(const DecodeLimits&) {
  return missingDecoder("openjpeg");
}

}  // namespace millrace
