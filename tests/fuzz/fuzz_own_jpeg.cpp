// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Our JPEG decoder against libjpeg-turbo on the same bytes. A file that ours decodes completely is
// decoded by the library without a warning and to the same pixels. This also holds for a region,
// unless the library, which reads slightly further down, finds damage there. With undecoded planes,
// ours is compared with itself: luma equals grey pixels, and the plane pass accepts all of them.
#include "core/kernels/pass/plane_pass.h"
#include "tests/fuzz/decode_bytes.h"

namespace millrace::fuzz {
namespace {

void hold(ImageDecoder& decoder, DecodeRequest request, bool whole) {
  request.ownDecoder = true;
  const auto ours = decoder.decode(request);
  if (!ours || ours->route != DecodeRoute::Own) return;
  std::vector<std::uint8_t> kept;
  const ImageView pixels = ours->pixels;
  const auto bytes = static_cast<std::ptrdiff_t>(pixels.width) * pixels.channels;
  for (int y = 0; y < pixels.height; ++y)
    kept.insert(kept.end(), pixels.row(y), pixels.row(y) + bytes);
  request.ownDecoder = false;
  const auto theirs = decoder.decode(request);
  if (!theirs || theirs->warnings > 0) {
    if (whole) std::abort();
    return;
  }
  if (theirs->pixels.size() != pixels.size() || theirs->pixels.channels != pixels.channels)
    std::abort();
  for (int y = 0; y < pixels.height; ++y)
    if (!std::equal(kept.begin() + y * bytes, kept.begin() + (y + 1) * bytes,
                    theirs->pixels.row(y)))
      std::abort();
}

void holdPlanes(ImageDecoder& decoder, DecodeRequest request, std::uint8_t size) {
  request.form = PixelForm::Rgb;
  request.planes = true;
  const auto image = decoder.decode(request);
  if (!image || image->planes.count == 0) return;
  const SampledPlane& luma = image->planes.plane[0];
  static PlanePass pass;
  PixelPassSpec spec;
  spec.source = luma.region;
  spec.resized = {1 + size % 16, 1 + size / 16};
  spec.cut = {0, 0, spec.resized.width, spec.resized.height};
  std::vector<std::byte> out(outputBytes(spec.resized, 3, {}));
  pass.run(image->planes, spec, {}, 3, out.data());

  std::vector<std::uint8_t> kept;
  for (int y = 0; y < luma.samples.height; ++y)
    kept.insert(kept.end(), luma.samples.row(y), luma.samples.row(y) + luma.samples.width);
  request.form = PixelForm::Grey;
  request.planes = false;
  const auto grey = decoder.decode(request);
  // Luma alone needs nothing that the planes did not need.
  if (!grey || grey->route != DecodeRoute::Own) std::abort();
  if (grey->pixels.size() != luma.samples.size()) std::abort();
  for (int y = 0; y < grey->pixels.height; ++y)
    if (!std::equal(grey->pixels.row(y), grey->pixels.row(y) + grey->pixels.width,
                    kept.begin() + std::ptrdiff_t{y} * grey->pixels.width))
      std::abort();
}

void compare(std::span<const std::uint8_t> file, std::span<const std::uint8_t> asked) {
  // One for all inputs: creating one takes longer than an input, and state of an earlier input must
  // not affect a later one.
  static ImageDecoder decoder({.pixels = 1 << 16, .scans = 20});
  const auto info = decoder.open(std::as_bytes(file));
  if (!info || info->format != "JPEG") return;
  DecodeRequest request = requestOf(asked, info->storedSize);
  request.applyOrientation = false;
  hold(decoder, request, false);
  holdPlanes(decoder, request, asked[7]);
  const int scale = 1 << (asked[4] % 4);
  request.region = {0, 0, info->storedSize.width, info->storedSize.height};
  request.cover = {info->storedSize.width / scale, info->storedSize.height / scale};
  hold(decoder, request, true);
}

}  // namespace
}  // namespace millrace::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::fuzz;
  if (size < kRequestBytes) return 0;
  compare({data, size - kRequestBytes}, {data + size - kRequestBytes, kRequestBytes});
  return 0;
}
