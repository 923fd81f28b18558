// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdio>
#include <span>

#include <jpeglib.h>

namespace millrace::tests {

/// libjpeg after reading the header of a valid file. An error of the library ends the program.
class OpenedJpeg {
 public:
  explicit OpenedJpeg(std::span<const std::byte> file) {
    decoder.err = jpeg_std_error(&m_errors);
    jpeg_create_decompress(&decoder);
    jpeg_mem_src(&decoder, reinterpret_cast<const unsigned char*>(file.data()), file.size());
    jpeg_read_header(&decoder, TRUE);
  }
  ~OpenedJpeg() { jpeg_destroy_decompress(&decoder); }
  OpenedJpeg(const OpenedJpeg&) = delete;
  OpenedJpeg& operator=(const OpenedJpeg&) = delete;

  jpeg_decompress_struct decoder{};

 private:
  jpeg_error_mgr m_errors{};
};

}  // namespace millrace::tests
