// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// JPEG XL by libjxl: the first or the chosen frame, decoded whole. Alpha is dropped; pictures in
// the format's own colours become sRGB.
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"

namespace millrace {
namespace {

bool isJxl(std::span<const std::byte> file) {
  return isAt(file, 0, "\xff\x0a") || isAt(file, 4, "JXL \r\n\x87\n");
}

}  // namespace

CodecEntry jxlCodec();
CodecEntry jxlCodec() {
  return {"JPEG XL", {"jxl"}, jxlLibrary(), &isJxl, &makeJxlDecoder, {&countJxlFrames}};
}

}  // namespace millrace
