// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <jpeglib.h>

#include "core/base/check.h"
#include "core/codecs/encode.h"

namespace millrace {
namespace {

/// libjpeg-turbo's encoder with a memory buffer. The stack frames that longjmp skips hold no
/// objects with destructors.
struct JpegWriter {
  jpeg_compress_struct encoder{};
  jpeg_error_mgr errors{};
  std::jmp_buf jump{};
  unsigned char* bytes = nullptr;
  unsigned long size = 0;

  JpegWriter() {
    encoder.err = jpeg_std_error(&errors);
    encoder.client_data = this;
    errors.error_exit = [](j_common_ptr common) {
      std::longjmp(static_cast<JpegWriter*>(common->client_data)->jump, 1);
    };
    errors.emit_message = [](j_common_ptr, int) {};
  }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;
  ~JpegWriter() {
    jpeg_destroy_compress(&encoder);
    std::free(bytes);
  }

  bool write(ImageView image, const JpegSettings& settings);
  void configure(ImageView image, const JpegSettings& settings);
};

void JpegWriter::configure(ImageView image, const JpegSettings& settings) {
  encoder.image_width = static_cast<JDIMENSION>(image.width);
  encoder.image_height = static_cast<JDIMENSION>(image.height);
  encoder.input_components = image.channels;
  encoder.in_color_space = image.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, settings.quality, TRUE);
  if (image.channels == 3) {
    encoder.comp_info[0].h_samp_factor = settings.subsampling == Subsampling::S444 ? 1 : 2;
    encoder.comp_info[0].v_samp_factor = settings.subsampling == Subsampling::S420 ? 2 : 1;
  }
  encoder.restart_in_rows = settings.restartRows;
  if (settings.progressive) jpeg_simple_progression(&encoder);
}

bool JpegWriter::write(ImageView image, const JpegSettings& settings) {
  if (setjmp(jump) != 0) return false;
  jpeg_create_compress(&encoder);
  jpeg_mem_dest(&encoder, &bytes, &size);
  configure(image, settings);
  jpeg_start_compress(&encoder, TRUE);
  while (encoder.next_scanline < encoder.image_height) {
    auto* row = const_cast<JSAMPROW>(image.row(static_cast<int>(encoder.next_scanline)));
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
  return true;
}

}  // namespace

Result<std::vector<std::byte>> encodeJpeg(ImageView image, const JpegSettings& settings) {
  MILLRACE_CHECK(image.channels == 1 || image.channels == 3, "a JPEG needs 1 or 3 channels");
  JpegWriter writer;
  if (!writer.write(image, settings)) {
    char text[JMSG_LENGTH_MAX];
    writer.errors.format_message(reinterpret_cast<j_common_ptr>(&writer.encoder), text);
    return Error{std::string("JPEG encoder: ") + text};
  }
  const auto* first = reinterpret_cast<const std::byte*>(writer.bytes);
  return std::vector<std::byte>(first, first + writer.size);
}

}  // namespace millrace
