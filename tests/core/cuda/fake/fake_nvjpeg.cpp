// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// A library with nvJPEG's functions as core/cuda/libraries/nvjpeg_abi.h declares them, implemented
// with libjpeg-turbo on host memory. With FAKE_NVJPEG_OLD it reports an older version, with
// FAKE_NVJPEG_CUT one function is missing.
#include "tests/core/cuda/fake/fake_nvjpeg.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include <jpeglib.h>

#include "core/cuda/libraries/nvjpeg_abi.h"

namespace nvjpeg = millrace::nvjpeg;

struct millrace::nvjpeg::OpaqueHandle {
  int backend = 0;
};
struct millrace::nvjpeg::OpaqueState {
  int batch = 0;
  int format = 0;
};
struct millrace::nvjpeg::OpaqueStream {
  int width = 0;
  int height = 0;
};

struct millrace::nvjpeg::OpaqueParams {
  int format = 0;
  int x = 0;
  int y = 0;
  int width = -1;
  int height = -1;
  bool whole() const { return x == 0 && y == 0 && width == -1 && height == -1; }
};

namespace {

struct Fake {
  std::mutex mutex;
  std::string words;
  int batches = 0;
  int singles = 0;
  int pictures = 0;
  int regions = 0;
  int open = 0;
};

Fake& fake() {
  static Fake one;
  return one;
}

/// The value after `key` and "=" in the script; empty if the script does not contain the key.
std::string scripted(const std::string& key) {
  const std::lock_guard lock(fake().mutex);
  std::istringstream words(fake().words);
  for (std::string word; words >> word;) {
    if (word == key) return "1";
    if (word.starts_with(key + "=")) return word.substr(key.size() + 1);
  }
  return {};
}

struct Errors {
  jpeg_error_mgr base;
  std::jmp_buf back;
};

[[noreturn]] void giveUp(j_common_ptr decoder) {
  std::longjmp(reinterpret_cast<Errors*>(decoder->err)->back, 1);
}

/// Returns the picture's width, or 0 for damaged files. With `to` also decodes its pixels, with
/// `height` also sets its height.
int decodeInto(const unsigned char* file, std::size_t bytes, int format, const nvjpeg::Image* to,
               int* height = nullptr) {
  jpeg_decompress_struct decoder;
  Errors errors;
  decoder.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = giveUp;
  errors.base.emit_message = [](j_common_ptr, int) {};
  jpeg_create_decompress(&decoder);
  if (setjmp(errors.back) != 0) {
    jpeg_destroy_decompress(&decoder);
    return 0;
  }
  jpeg_mem_src(&decoder, file, static_cast<unsigned long>(bytes));
  jpeg_read_header(&decoder, TRUE);
  const int width = static_cast<int>(decoder.image_width);
  if (height != nullptr) *height = static_cast<int>(decoder.image_height);
  if (to != nullptr) {
    decoder.out_color_space = format == nvjpeg::kOutputLuma ? JCS_GRAYSCALE : JCS_RGB;
    decoder.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&decoder);
    while (decoder.output_scanline < decoder.output_height) {
      JSAMPROW row = to->channel[0] + decoder.output_scanline * to->pitch[0];
      jpeg_read_scanlines(&decoder, &row, 1);
    }
    jpeg_finish_decompress(&decoder);
  }
  jpeg_destroy_decompress(&decoder);
  return width;
}

nvjpeg::Code decodeOne(const unsigned char* file, std::size_t bytes, int format,
                       const nvjpeg::Image* to) {
  const int width = decodeInto(file, bytes, format, nullptr);
  const std::string wrong = scripted("width");
  if (!wrong.empty() && std::stoi(wrong) == width)
    return std::stoi(wrong.substr(wrong.find(':') + 1));
  if (width == 0 || decodeInto(file, bytes, format, to) == 0) return nvjpeg::kBadJpeg;
  const std::lock_guard lock(fake().mutex);
  ++fake().pictures;
  return nvjpeg::kSuccess;
}

/// Decodes the whole picture and copies the region; fills the surroundings with another colour.
nvjpeg::Code decodeRegion(const unsigned char* file, std::size_t bytes,
                          const nvjpeg::OpaqueParams& params, const nvjpeg::Image& to) {
  if (params.whole()) return decodeOne(file, bytes, params.format, &to);
  int height = 0;
  const int width = decodeInto(file, bytes, params.format, nullptr, &height);
  if (params.x < 0 || params.y < 0 || params.width <= 0 || params.height <= 0 ||
      params.x + params.width > width || params.y + params.height > height)
    return nvjpeg::kInvalidParameter;
  const std::size_t channels = params.format == nvjpeg::kOutputLuma ? 1 : 3;
  const std::size_t rowBytes = static_cast<std::size_t>(width) * channels;
  std::vector<unsigned char> pixels(rowBytes * static_cast<std::size_t>(height));
  nvjpeg::Image all{};
  all.channel[0] = pixels.data();
  all.pitch[0] = rowBytes;
  const nvjpeg::Code code = decodeOne(file, bytes, params.format, &all);
  if (code != nvjpeg::kSuccess) return code;
  const std::size_t left = static_cast<std::size_t>(params.x) * channels;
  unsigned char* const begin =
      to.channel[0] - static_cast<std::size_t>(params.y) * to.pitch[0] - left;
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
    unsigned char* const row = begin + y * to.pitch[0];
    std::fill_n(row, rowBytes, static_cast<unsigned char>(0x5a));
    const auto top = static_cast<std::size_t>(params.y);
    if (y >= top && y < top + static_cast<std::size_t>(params.height))
      std::copy_n(pixels.data() + y * rowBytes + left,
                  static_cast<std::size_t>(params.width) * channels, row + left);
  }
  const std::lock_guard lock(fake().mutex);
  ++fake().regions;
  return nvjpeg::kSuccess;
}

template <class T>
nvjpeg::Code make(T** to) {
  const std::lock_guard lock(fake().mutex);
  ++fake().open;
  *to = new T;
  return nvjpeg::kSuccess;
}

template <class T>
nvjpeg::Code drop(T* thing) {
  const std::lock_guard lock(fake().mutex);
  --fake().open;
  delete thing;
  return nvjpeg::kSuccess;
}

int counted(int Fake::* member) {
  const std::lock_guard lock(fake().mutex);
  return fake().*member;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are nvJPEG's
extern "C" {

extern const int millraceOnHostMemory;
const int millraceOnHostMemory = 1;

void fakeNvjpegScript(const char* words) {
  const std::lock_guard lock(fake().mutex);
  fake().words = words;
  fake().batches = fake().singles = fake().pictures = fake().regions = 0;
}
int fakeNvjpegBatches() { return counted(&Fake::batches); }
int fakeNvjpegSingles() { return counted(&Fake::singles); }
int fakeNvjpegPictures() { return counted(&Fake::pictures); }
int fakeNvjpegRegions() { return counted(&Fake::regions); }
int fakeNvjpegOpen() { return counted(&Fake::open); }

nvjpeg::Code nvjpegGetProperty(int which, int* to) {
#ifdef FAKE_NVJPEG_OLD
  constexpr int kVersion[] = {12, 3, 0};
#else
  constexpr int kVersion[] = {13, 3, 2};
#endif
  *to = kVersion[which];
  return nvjpeg::kSuccess;
}

nvjpeg::Code nvjpegCreateEx(int backend, void*, void*, unsigned, nvjpeg::Handle* to) {
  const std::string wrong = scripted("create");
  if (!wrong.empty()) return std::stoi(wrong);
  if (backend == nvjpeg::kBackendHardware && !scripted("no_engine").empty())
    return nvjpeg::kArchMismatch;
  const nvjpeg::Code code = make(to);
  (*to)->backend = backend;
  return code;
}
nvjpeg::Code nvjpegDestroy(nvjpeg::Handle handle) { return drop(handle); }
nvjpeg::Code nvjpegJpegStateCreate(nvjpeg::Handle, nvjpeg::State* to) { return make(to); }
nvjpeg::Code nvjpegJpegStateDestroy(nvjpeg::State state) { return drop(state); }
nvjpeg::Code nvjpegJpegStreamCreate(nvjpeg::Handle, nvjpeg::JpegStream* to) { return make(to); }
nvjpeg::Code nvjpegJpegStreamDestroy(nvjpeg::JpegStream stream) { return drop(stream); }

nvjpeg::Code nvjpegJpegStreamParseHeader(nvjpeg::Handle, const unsigned char* file,
                                         std::size_t bytes, nvjpeg::JpegStream stream) {
  stream->width = decodeInto(file, bytes, nvjpeg::kOutputLuma, nullptr, &stream->height);
  return stream->width == 0 ? nvjpeg::kBadJpeg : nvjpeg::kSuccess;
}

nvjpeg::Code nvjpegJpegStreamGetFrameDimensions(nvjpeg::JpegStream stream, unsigned* width,
                                                unsigned* height) {
  *width = static_cast<unsigned>(stream->width);
  *height = static_cast<unsigned>(stream->height);
  return nvjpeg::kSuccess;
}

#ifndef FAKE_NVJPEG_CUT
nvjpeg::Code nvjpegDecodeBatchedSupported(nvjpeg::Handle, nvjpeg::JpegStream stream,
                                          int* unsupported) {
  *unsupported = scripted("head") == std::to_string(stream->width) ? 1 : 0;
  return nvjpeg::kSuccess;
}
#endif

nvjpeg::Code nvjpegDecodeBatchedInitialize(nvjpeg::Handle, nvjpeg::State state, int batch, int,
                                           int format) {
  *state = {batch, format};
  return batch > 0 ? nvjpeg::kSuccess : nvjpeg::kInvalidParameter;
}

nvjpeg::Code nvjpegDecodeParamsCreate(nvjpeg::Handle, nvjpeg::Params* to) { return make(to); }
nvjpeg::Code nvjpegDecodeParamsDestroy(nvjpeg::Params params) { return drop(params); }
nvjpeg::Code nvjpegDecodeParamsSetOutputFormat(nvjpeg::Params params, int format) {
  params->format = format;
  return nvjpeg::kSuccess;
}
nvjpeg::Code nvjpegDecodeParamsSetROI(nvjpeg::Params params, int x, int y, int width, int height) {
  *params = {params->format, x, y, width, height};
  return nvjpeg::kSuccess;
}

nvjpeg::Code nvjpegDecodeBatchedSupportedEx(nvjpeg::Handle handle, nvjpeg::JpegStream stream,
                                            nvjpeg::Params params, int* unsupported) {
  if (handle->backend != nvjpeg::kBackendHardware) return nvjpeg::kImplementationNotSupported;
  const bool inside = params->whole() || (params->x + params->width <= stream->width &&
                                          params->y + params->height <= stream->height);
  *unsupported = inside && (params->whole() || scripted("whole").empty()) ? 0 : 1;
  return nvjpeg::kSuccess;
}

nvjpeg::Code nvjpegDecodeBatchedEx(nvjpeg::Handle handle, nvjpeg::State state,
                                   const unsigned char* const* files, const std::size_t* bytes,
                                   nvjpeg::Image* to, nvjpeg::Params* params, nvjpeg::CudaStream) {
  if (handle->backend != nvjpeg::kBackendHardware) return nvjpeg::kImplementationNotSupported;
  {
    const std::lock_guard lock(fake().mutex);
    ++fake().batches;
  }
  if (state->batch <= 0) return nvjpeg::kNotInitialized;
  const std::string wrong = scripted("batch");
  for (int i = 0; i < state->batch; ++i) {
    if (params[i]->format != state->format) return nvjpeg::kInvalidParameter;
    const nvjpeg::Code code = decodeRegion(files[i], bytes[i], *params[i], to[i]);
    if (code != nvjpeg::kSuccess) return code;
  }
  return wrong.empty() ? nvjpeg::kSuccess : std::stoi(wrong);
}

nvjpeg::Code nvjpegDecodeBatched(nvjpeg::Handle, nvjpeg::State state,
                                 const unsigned char* const* files, const std::size_t* bytes,
                                 nvjpeg::Image* to, nvjpeg::CudaStream) {
  {
    const std::lock_guard lock(fake().mutex);
    ++fake().batches;
  }
  if (state->batch <= 0) return nvjpeg::kNotInitialized;
  const std::string wrong = scripted("batch");
  for (int i = 0; i < state->batch; ++i) {
    const nvjpeg::Code code = decodeOne(files[i], bytes[i], state->format, &to[i]);
    if (code != nvjpeg::kSuccess) return code;
  }
  return wrong.empty() ? nvjpeg::kSuccess : std::stoi(wrong);
}

nvjpeg::Code nvjpegDecode(nvjpeg::Handle, nvjpeg::State, const unsigned char* file,
                          std::size_t bytes, int format, nvjpeg::Image* to, nvjpeg::CudaStream) {
  {
    const std::lock_guard lock(fake().mutex);
    ++fake().singles;
  }
  return decodeOne(file, bytes, format, to);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
