// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "tests/core/codecs/plain_jpeg.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include <jpeglib.h>

#include "tests/support/opened_jpeg.h"
#include "tests/support/temporary_folder.h"

namespace millrace::tests {

Picture copyOf(ImageView view) {
  Picture copy(view.width, view.height, view.channels);
  for (int y = 0; y < view.height; ++y)
    std::copy_n(view.row(y), view.width * view.channels, &copy.at(0, y));
  return copy;
}

Rect randomRegion(std::mt19937& random, Size size) {
  const auto below = [&random](int n) { return int(random() % unsigned(n)); };
  const int width = 1 + below(size.width);
  const int height = 1 + below(size.height);
  return {below(size.width - width + 1), below(size.height - height + 1), width, height};
}

Picture colourful(int width, int height, int channels, unsigned seed) {
  std::mt19937 random(seed);
  Picture picture(width, height, channels);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c) {
        const int wave = ((x * (c + 2) / 3 + y * (3 - c % 3) / 2) % 64) * 3;
        picture.at(x, y, c) = static_cast<std::uint8_t>(wave + int(random() % 64));
      }
  return picture;
}

std::vector<std::byte> writePlainJpeg(const Picture& picture, const PlainJpeg& how) {
  jpeg_compress_struct encoder{};
  jpeg_error_mgr errors{};
  encoder.err = jpeg_std_error(&errors);
  jpeg_create_compress(&encoder);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&encoder, &bytes, &size);
  encoder.image_width = JDIMENSION(picture.width);
  encoder.image_height = JDIMENSION(picture.height);
  encoder.input_components = picture.channels;
  encoder.in_color_space = picture.channels == 1   ? JCS_GRAYSCALE
                           : picture.channels == 3 ? JCS_RGB
                                                   : JCS_CMYK;
  jpeg_set_defaults(&encoder);
  if (picture.channels == 4) jpeg_set_colorspace(&encoder, how.ycck ? JCS_YCCK : JCS_CMYK);
  jpeg_set_quality(&encoder, how.quality, TRUE);
  encoder.comp_info[0].h_samp_factor = how.horizontal;
  encoder.comp_info[0].v_samp_factor = how.vertical;
  if (picture.channels == 4) {
    encoder.comp_info[3].h_samp_factor = how.horizontal;
    encoder.comp_info[3].v_samp_factor = how.vertical;
  }
  encoder.arith_code = how.arithmetic ? TRUE : FALSE;
  encoder.restart_in_rows = how.restartRows;
  encoder.restart_interval = unsigned(how.restartMcus);
  encoder.optimize_coding = how.optimised ? TRUE : FALSE;
  if (how.progressive) jpeg_simple_progression(&encoder);
  const jpeg_scan_info scans[3] = {
      {1, {0}, 0, 63, 0, 0}, {1, {1}, 0, 63, 0, 0}, {1, {2}, 0, 63, 0, 0}};
  if (how.separateScans) {
    encoder.scan_info = scans;
    encoder.num_scans = 3;
  }
  jpeg_start_compress(&encoder, TRUE);
  for (int y = 0; y < picture.height; ++y) {
    auto* row = const_cast<JSAMPROW>(picture.view().row(y));
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  jpeg_destroy_compress(&encoder);
  const auto* first = reinterpret_cast<const std::byte*>(bytes);
  std::vector<std::byte> file(first, first + size);
  std::free(bytes);
  return file;
}

Picture readPlainJpeg(std::span<const std::byte> file, int scale, int channels) {
  OpenedJpeg opened(file);
  jpeg_decompress_struct& decoder = opened.decoder;
  decoder.scale_denom = unsigned(scale);
  decoder.out_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
  jpeg_start_decompress(&decoder);
  Picture picture(int(decoder.output_width), int(decoder.output_height), channels);
  while (decoder.output_scanline < decoder.output_height) {
    JSAMPROW row = &picture.at(0, int(decoder.output_scanline));
    jpeg_read_scanlines(&decoder, &row, 1);
  }
  jpeg_finish_decompress(&decoder);
  return picture;
}

/// Empty if `view` is the part of `whole` at (left, top), else where they first differ.
QString difference(ImageView view, const Picture& whole, int left, int top) {
  if (view.channels != whole.channels) return "other channels";
  if (left + view.width > whole.width || top + view.height > whole.height) return "too large";
  for (int y = 0; y < view.height; ++y) {
    const std::uint8_t* const found = view.row(y);
    const std::uint8_t* const wanted = whole.view().row(top + y) + left * whole.channels;
    const int values = view.width * view.channels;
    if (std::memcmp(found, wanted, static_cast<std::size_t>(values)) == 0) continue;
    const auto first = std::mismatch(found, found + values, wanted).first - found;
    return QString("pixel %1, %2 of %3 x %4 at %5, %6")
        .arg(first / view.channels)
        .arg(y)
        .arg(view.width)
        .arg(view.height)
        .arg(left)
        .arg(top);
  }
  return {};
}

std::vector<std::byte> readFile(const char* path) {
  const std::string bytes = contentOf(path);
  const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
  return {first, first + bytes.size()};
}

}  // namespace millrace::tests
