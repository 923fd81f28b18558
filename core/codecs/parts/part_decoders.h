// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/codecs/codec_entry.h"

namespace millrace {

// The decoders of optional parts (cmake/MillraceParts.cmake), and the library of each. In a build
// without the part a decoder refuses every file and names the package, and the library has no name.

CodecLibrary tiffLibrary();
std::unique_ptr<Codec> makeTiffDecoder(const DecodeLimits& limits);

CodecLibrary webpLibrary();
std::unique_ptr<Codec> makeWebpDecoder(const DecodeLimits& limits);

CodecLibrary gifLibrary();
std::unique_ptr<Codec> makeGifDecoder(const DecodeLimits& limits);

CodecLibrary avifLibrary();
std::unique_ptr<Codec> makeAvifDecoder(const DecodeLimits& limits);

CodecLibrary heicLibrary();
std::unique_ptr<Codec> makeHeicDecoder(const DecodeLimits& limits);

CodecLibrary jxlLibrary();
std::unique_ptr<Codec> makeJxlDecoder(const DecodeLimits& limits);

CodecLibrary jpeg2000Library();
std::unique_ptr<Codec> makeJpeg2000Decoder(const DecodeLimits& limits);

}  // namespace millrace
