// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// WebP by libwebp, lossy and lossless; of an animation the first frame, or what a chosen one
// shows. Rows below the region are not decoded; alpha is dropped.
#include <string_view>

#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"
#include "core/codecs/webp_chunks.h"

namespace millrace {
namespace {

bool isWebp(std::span<const std::byte> file) {
  return isAt(file, 0, "RIFF") && isAt(file, 8, "WEBP");
}

}  // namespace

CodecEntry webpCodec();
CodecEntry webpCodec() {
  return {"WebP", {"webp"}, webpLibrary(), &isWebp, &makeWebpDecoder, {&countWebpFrames}};
}

}  // namespace millrace
