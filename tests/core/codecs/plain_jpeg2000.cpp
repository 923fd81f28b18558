// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include <openjpeg.h>

#include "tests/core/codecs/part_pictures.h"

namespace millrace::tests {

namespace {

struct Output {
  std::vector<std::byte> bytes;
  std::size_t at = 0;
};

OPJ_SIZE_T append(void* data, OPJ_SIZE_T size, void* to) {
  auto& out = *static_cast<Output*>(to);
  if (out.at + size > out.bytes.size()) out.bytes.resize(out.at + size);
  std::memcpy(out.bytes.data() + out.at, data, size);
  out.at += size;
  return size;
}

OPJ_OFF_T skip(OPJ_OFF_T size, void* to) {
  static_cast<Output*>(to)->at += std::size_t(size);
  return size;
}

OPJ_BOOL seek(OPJ_OFF_T at, void* to) {
  static_cast<Output*>(to)->at = std::size_t(at);
  return OPJ_TRUE;
}

opj_image_t* imageOf(const Picture& picture, const PlainJpeg2000& how) {
  std::vector<opj_image_cmptparm_t> channels(std::size_t(picture.channels));
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const OPJ_UINT32 step = how.ycc && c > 0 ? 2 : 1;
    channels[c].dx = channels[c].dy = step;
    channels[c].w = (OPJ_UINT32(picture.width) + step - 1) / step;
    channels[c].h = (OPJ_UINT32(picture.height) + step - 1) / step;
    channels[c].prec = OPJ_UINT32(how.depth);
  }
  const OPJ_COLOR_SPACE space = how.ycc                ? OPJ_CLRSPC_SYCC
                                : picture.channels < 3 ? OPJ_CLRSPC_GRAY
                                                       : OPJ_CLRSPC_SRGB;
  opj_image_t* image = opj_image_create(OPJ_UINT32(picture.channels), channels.data(), space);
  image->x1 = OPJ_UINT32(picture.width);
  image->y1 = OPJ_UINT32(picture.height);
  for (int c = 0; c < picture.channels; ++c) {
    const opj_image_comp_t& channel = image->comps[c];
    for (int y = 0; y < int(channel.h); ++y)
      for (int x = 0; x < int(channel.w); ++x)
        channel.data[std::size_t(y) * channel.w + std::size_t(x)] =
            picture.at(x * int(channel.dx), y * int(channel.dy), c) << (how.depth - 8);
  }
  return image;
}

}  // namespace

std::vector<std::byte> writePlainJpeg2000(const Picture& picture, const PlainJpeg2000& how) {
  opj_cparameters_t settings;
  opj_set_default_encoder_parameters(&settings);
  settings.tcp_numlayers = 1;
  settings.tcp_rates[0] = how.lossy ? 8 : 0;
  settings.cp_disto_alloc = 1;
  settings.irreversible = how.lossy ? 1 : 0;
  settings.numresolution = std::min(picture.width, picture.height) < 8 ? 1 : 3;
  settings.tcp_mct = picture.channels == 3 && !how.ycc ? 1 : 0;
  if (how.tile > 0) {
    settings.tile_size_on = OPJ_TRUE;
    settings.cp_tdx = settings.cp_tdy = how.tile;
  }
  opj_image_t* image = imageOf(picture, how);
  opj_codec_t* codec = opj_create_compress(how.bare ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
  opj_setup_encoder(codec, &settings, image);
  Output out;
  opj_stream_t* stream = opj_stream_create(4096, OPJ_FALSE);
  opj_stream_set_write_function(stream, append);
  opj_stream_set_skip_function(stream, skip);
  opj_stream_set_seek_function(stream, seek);
  opj_stream_set_user_data(stream, &out, nullptr);
  const bool isDone = opj_start_compress(codec, image, stream) != OPJ_FALSE &&
                      opj_encode(codec, stream) != OPJ_FALSE &&
                      opj_end_compress(codec, stream) != OPJ_FALSE;
  opj_stream_destroy(stream);
  opj_destroy_codec(codec);
  opj_image_destroy(image);
  if (!isDone) out.bytes.clear();
  return out.bytes;
}

}  // namespace millrace::tests
