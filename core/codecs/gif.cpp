// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// GIF by giflib: the first frame on its canvas, or what a chosen frame shows. Masks get the first
// frame's palette indices; transparency is dropped.
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/gif_blocks.h"
#include "core/codecs/parts/part_decoders.h"
#include "core/codecs/several_pictures.h"

namespace millrace {
namespace {

bool isGif(std::span<const std::byte> file) {
  return isAt(file, 0, "GIF87a") || isAt(file, 0, "GIF89a");
}

std::uint32_t countFrames(const ReadBytes& read) {
  return static_cast<std::uint32_t>(readGifBlocks(read, kMostPictures).frames.size());
}

}  // namespace

CodecEntry gifCodec();
CodecEntry gifCodec() {
  return {"GIF", {"gif"}, gifLibrary(), &isGif, &makeGifDecoder, {&countFrames}};
}

}  // namespace millrace
