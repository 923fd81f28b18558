// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// GIF by giflib: the first frame on its canvas. Masks get its palette indices; transparency is
// dropped.
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"

namespace millrace {
namespace {

bool isGif(std::span<const std::byte> file) {
  return isAt(file, 0, "GIF87a") || isAt(file, 0, "GIF89a");
}

}  // namespace

CodecEntry gifCodec();
CodecEntry gifCodec() { return {"GIF", {"gif"}, gifLibrary(), &isGif, &makeGifDecoder}; }

}  // namespace millrace
