// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "core/codecs/codec_entry.h"

namespace millrace {

// The decoders of optional parts (cmake/MillraceParts.cmake), and the library of each. In a build
// without the part a decoder refuses every file and names the package, and the library has no name.
// Functions that count use the library too, so without it they see single pictures.

CodecLibrary tiffLibrary();
std::unique_ptr<Codec> makeTiffDecoder(const DecodeLimits& limits);

CodecLibrary webpLibrary();
std::unique_ptr<Codec> makeWebpDecoder(const DecodeLimits& limits);

CodecLibrary gifLibrary();
std::unique_ptr<Codec> makeGifDecoder(const DecodeLimits& limits);

CodecLibrary avifLibrary();
std::unique_ptr<Codec> makeAvifDecoder(const DecodeLimits& limits);
std::uint32_t countAvifFrames(const ReadBytes& read);

CodecLibrary heicLibrary();
std::unique_ptr<Codec> makeHeicDecoder(const DecodeLimits& limits);
std::uint32_t countHeicPictures(const ReadBytes& read);

CodecLibrary jxlLibrary();
std::unique_ptr<Codec> makeJxlDecoder(const DecodeLimits& limits);
std::uint32_t countJxlFrames(const ReadBytes& read);

CodecLibrary jpeg2000Library();
std::unique_ptr<Codec> makeJpeg2000Decoder(const DecodeLimits& limits);

}  // namespace millrace
