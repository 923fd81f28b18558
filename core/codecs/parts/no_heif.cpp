// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for libheif in a build without it.
#include "core/codecs/parts/part_decoders.h"

namespace millrace {

CodecLibrary heicLibrary() { return {}; }

std::unique_ptr<Codec> makeHeicDecoder(const DecodeLimits&) { return missingDecoder("heif"); }

std::uint32_t countHeicPictures(const ReadBytes&) { return 0; }

}  // namespace millrace
