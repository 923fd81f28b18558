// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// JPEG 2000 by OpenJPEG, codestreams and JP2 files. Only the region is decoded; alpha, further
// channels and colour profiles are not applied.
#include "core/codecs/codec_entry.h"
#include "core/codecs/file_bytes.h"
#include "core/codecs/parts/part_decoders.h"

namespace millrace {
namespace {

bool isJpeg2000(std::span<const std::byte> file) {
  return isAt(file, 4, "jP  \r\n\x87\n") || isAt(file, 0, "\xff\x4f\xff\x51");
}

}  // namespace

CodecEntry jpeg2000Codec();
CodecEntry jpeg2000Codec() {
  return {"JPEG 2000",
          {"jp2", "j2k", "jpx", "jpf", "j2c", "jpc"},
          jpeg2000Library(),
          &isJpeg2000,
          &makeJpeg2000Decoder};
}

}  // namespace millrace
