// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <libheif/heif.h>

#include "tests/core/codecs/part_pictures.h"

namespace millrace::tests {

namespace {

heif_error append(heif_context*, const void* data, std::size_t size, void* to) {
  const auto* first = static_cast<const std::byte*>(data);
  auto& file = *static_cast<std::vector<std::byte>*>(to);
  file.insert(file.end(), first, first + size);
  return {heif_error_Ok, heif_suberror_Unspecified, ""};
}

heif_image* imageOf(const Picture& picture) {
  heif_image* image = nullptr;
  heif_image_create(
      picture.width, picture.height, heif_colorspace_RGB,
      picture.channels == 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, &image);
  heif_image_add_plane(image, heif_channel_interleaved, picture.width, picture.height, 8);
  int stride = 0;
  std::uint8_t* rows = heif_image_get_plane(image, heif_channel_interleaved, &stride);
  for (int y = 0; y < picture.height; ++y)
    std::copy_n(picture.view().row(y), std::size_t(picture.width * picture.channels),
                rows + std::size_t(y) * stride);
  return image;
}

}  // namespace

std::vector<std::byte> writePlainHeic(const Picture& picture, int pictures) {
  heif_context* context = heif_context_alloc();
  heif_encoder* encoder = nullptr;
  heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder);
  heif_encoder_set_lossless(encoder, 1);
  heif_encoder_set_parameter_string(encoder, "chroma", "444");
  heif_encoder_set_parameter_string(encoder, "preset", "ultrafast");
  for (int i = 0; i < pictures; ++i) {
    heif_image* image = imageOf(frameOf(picture, 40 * i));
    heif_context_encode_image(context, image, encoder, nullptr, nullptr);
    heif_image_release(image);
  }
  heif_writer writer{1, append};
  std::vector<std::byte> file;
  heif_context_write(context, &writer, &file);
  heif_encoder_release(encoder);
  heif_context_free(context);
  return file;
}

}  // namespace millrace::tests
