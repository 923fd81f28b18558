// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// AVIF by libavif: the first or the chosen picture, decoded whole. Rotation and mirroring of the
// container are the orientation; alpha and colour profiles are not applied.
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"

namespace millrace {
namespace {

bool isAvif(std::span<const std::byte> file) { return hasBrand(file, {"avif", "avis"}); }

}  // namespace

CodecEntry avifCodec();
CodecEntry avifCodec() {
  return {"AVIF", {"avif"}, avifLibrary(), &isAvif, &makeAvifDecoder, {&countAvifFrames}};
}

}  // namespace millrace
