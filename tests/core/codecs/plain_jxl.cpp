// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <jxl/encode.h>

#include "tests/core/codecs/part_pictures.h"

namespace millrace::tests {

std::vector<std::byte> writePlainJxl(const Picture& picture, const PlainJxl& how) {
  JxlEncoder* encoder = JxlEncoderCreate(nullptr);
  JxlBasicInfo info;
  JxlEncoderInitBasicInfo(&info);
  info.xsize = std::uint32_t(picture.width);
  info.ysize = std::uint32_t(picture.height);
  info.bits_per_sample = 8;
  info.num_color_channels = picture.channels == 1 ? 1 : 3;
  info.num_extra_channels = picture.channels == 4 ? 1 : 0;
  info.alpha_bits = picture.channels == 4 ? 8 : 0;
  info.uses_original_profile = how.lossy ? JXL_FALSE : JXL_TRUE;
  info.orientation = JxlOrientation(how.orientation);
  info.have_animation = how.frames > 1 ? JXL_TRUE : JXL_FALSE;
  if (how.frames > 1) info.animation = {10, 1, 0, JXL_FALSE};
  JxlEncoderSetBasicInfo(encoder, &info);
  JxlColorEncoding colours{};
  JxlColorEncodingSetToSRGB(&colours, picture.channels == 1 ? JXL_TRUE : JXL_FALSE);
  JxlEncoderSetColorEncoding(encoder, &colours);
  JxlEncoderFrameSettings* settings = JxlEncoderFrameSettingsCreate(encoder, nullptr);
  JxlEncoderSetFrameLossless(settings, how.lossy ? JXL_FALSE : JXL_TRUE);
  JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, 3);
  if (how.frames > 1) {
    JxlFrameHeader head;
    JxlEncoderInitFrameHeader(&head);
    head.duration = 1;
    JxlEncoderSetFrameHeader(settings, &head);
  }
  const JxlPixelFormat format{std::uint32_t(picture.channels), JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN,
                              0};
  for (int frame = 0; frame < how.frames; ++frame) {
    const Picture drawn = frameOf(picture, frame);
    JxlEncoderAddImageFrame(settings, &format, drawn.bytes.data(), drawn.bytes.size());
  }
  JxlEncoderCloseInput(encoder);
  std::vector<std::byte> file(std::size_t{1} << 20U);
  auto* next = reinterpret_cast<std::uint8_t*>(file.data());
  std::size_t left = file.size();
  const bool isDone = JxlEncoderProcessOutput(encoder, &next, &left) == JXL_ENC_SUCCESS;
  file.resize(isDone ? file.size() - left : 0);
  JxlEncoderDestroy(encoder);
  return file;
}

}  // namespace millrace::tests
