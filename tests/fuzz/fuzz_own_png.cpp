// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// Our PNG decoder against libspng on the same bytes: if ours decodes a picture or a part of it, the
// library gives the same pixels or fails. It may fail, because ISA-L accepts some deflate codes
// that zlib refuses, and reads less far ahead. Checksums are corrected in most inputs, as in
// fuzz_png.
#include "tests/fuzz/decode_bytes.h"
#include "tests/fuzz/png_sums.h"

namespace millrace::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes copyOf(ImageView pixels) {
  Bytes kept;
  for (int y = 0; y < pixels.height; ++y)
    kept.insert(kept.end(), pixels.row(y), pixels.row(y) + pixels.width * pixels.channels);
  return kept;
}

void hold(ImageDecoder& decoder, DecodeRequest request) {
  request.ownDecoder = true;
  const auto ours = decoder.decode(request);
  if (!ours || ours->route != DecodeRoute::OwnPng) return;
  const Bytes kept = copyOf(ours->pixels);
  const Size size = ours->pixels.size();
  const int channels = ours->pixels.channels;
  request.ownDecoder = false;
  const auto theirs = decoder.decode(request);
  if (!theirs) return;
  if (theirs->pixels.size() != size || theirs->pixels.channels != channels ||
      copyOf(theirs->pixels) != kept)
    std::abort();
}

void compare(std::span<const std::uint8_t> file, std::span<const std::uint8_t> asked) {
  // One for all inputs, as in fuzz_own_jpeg.
  static ImageDecoder decoder({.pixels = 1 << 16});
  const auto info = decoder.open(std::as_bytes(file));
  if (!info || info->format != "PNG") return;
  DecodeRequest request = requestOf(asked, info->storedSize);
  request.applyOrientation = false;
  request.cover = {};
  hold(decoder, request);
  request.region = {0, 0, info->storedSize.width, info->storedSize.height};
  hold(decoder, request);
}

}  // namespace
}  // namespace millrace::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace millrace::fuzz;
  if (size < kRequestBytes) return 0;
  std::vector<std::uint8_t> file(data, data + size - kRequestBytes);
  // The last byte of the request leaves one in eight uncorrected.
  if (data[size - 1] % 8 != 7) repairCheckSums(file);
  compare(file, {data + size - kRequestBytes, kRequestBytes});
  return 0;
}
