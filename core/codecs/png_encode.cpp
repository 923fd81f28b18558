// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>

#include "core/base/check.h"
#include "core/codecs/encode.h"
#include "core/codecs/spng_context.h"

namespace millrace {
namespace {

struct FreeBytes {
  void operator()(void* bytes) const { std::free(bytes); }
};

Error failure(int code) { return {std::string("PNG encoder: ") + spng_strerror(code)}; }

spng_ihdr headOf(ImageView image, bool hasPalette) {
  spng_ihdr head{};
  head.width = static_cast<std::uint32_t>(image.width);
  head.height = static_cast<std::uint32_t>(image.height);
  head.bit_depth = 8;
  head.color_type = image.channels == 4   ? SPNG_COLOR_TYPE_TRUECOLOR_ALPHA
                    : image.channels == 3 ? SPNG_COLOR_TYPE_TRUECOLOR
                    : hasPalette          ? SPNG_COLOR_TYPE_INDEXED
                                          : SPNG_COLOR_TYPE_GRAYSCALE;
  return head;
}

int setPalette(spng_ctx* context, const PngSettings& settings) {
  if (settings.palette.empty()) return 0;
  spng_plte palette{};
  palette.n_entries = static_cast<std::uint32_t>(settings.palette.size());
  for (std::size_t i = 0; i < settings.palette.size(); ++i) {
    const auto& colour = settings.palette[i];
    palette.entries[i] = {colour[0], colour[1], colour[2], 255};
  }
  return spng_set_plte(context, &palette);
}

int encodeRows(spng_ctx* context, ImageView image) {
  int code = spng_encode_image(context, nullptr, 0, SPNG_FMT_PNG,
                               SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE);
  const auto bytes =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels);
  for (int y = 0; y < image.height && code == 0; ++y)
    code = spng_encode_row(context, image.row(y), bytes);
  return code == SPNG_EOI ? 0 : code;
}

}  // namespace

Result<std::vector<std::byte>> encodePng(ImageView image, const PngSettings& settings) {
  MILLRACE_CHECK(image.channels == 1 || image.channels == 3 || image.channels == 4,
                 "a PNG needs 1, 3 or 4 channels");
  MILLRACE_CHECK(
      settings.palette.size() <= 256 && (settings.palette.empty() || image.channels == 1),
      "a palette has at most 256 colours and needs one channel of indices");
  const SpngContext context(spng_ctx_new(SPNG_CTX_ENCODER));
  if (!context) return Error{"not enough memory for a PNG encoder"};
  spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1);
  spng_set_option(context.get(), SPNG_IMG_COMPRESSION_LEVEL, settings.level);
  spng_ihdr head = headOf(image, !settings.palette.empty());
  int code = spng_set_ihdr(context.get(), &head);
  if (code == 0) code = setPalette(context.get(), settings);
  if (code == 0) code = encodeRows(context.get(), image);
  if (code != 0) return failure(code);
  std::size_t size = 0;
  const std::unique_ptr<void, FreeBytes> bytes(spng_get_png_buffer(context.get(), &size, &code));
  if (!bytes) return failure(code);
  const auto* first = static_cast<const std::byte*>(bytes.get());
  return std::vector<std::byte>(first, first + size);
}

}  // namespace millrace
