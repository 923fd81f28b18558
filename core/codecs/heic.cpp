// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// HEIC and other HEIF files by libheif: the primary or the chosen picture, decoded whole and always
// upright, as the format defines rotation as part of the picture. Alpha and colour profiles are not
// applied.
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"

namespace millrace {
namespace {

/// AVIF files, which name these brands too, come before in codecs.def.
bool isHeic(std::span<const std::byte> file) {
  return hasBrand(file, {"heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"});
}

}  // namespace

CodecEntry heicCodec();
CodecEntry heicCodec() {
  return {"HEIC",  {"heic", "heif", "hif"}, heicLibrary(),
          &isHeic, &makeHeicDecoder,        {&countHeicPictures}};
}

}  // namespace millrace
