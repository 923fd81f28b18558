// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Stands in for libjxl in a build without it.
#include "core/codecs/parts/part_decoders.h"

namespace millrace {

CodecLibrary jxlLibrary() { return {}; }

std::unique_ptr<Codec> makeJxlDecoder(const DecodeLimits&) { return missingDecoder("jxl"); }

std::uint32_t countJxlFrames(const ReadBytes&) { return 0; }

}  // namespace millrace
