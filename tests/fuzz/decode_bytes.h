// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/codecs/codec.h"
#include "core/codecs/several_pictures.h"

namespace millrace::fuzz {

/// An input is a file, followed by kRequestBytes bytes that describe the request.
constexpr std::size_t kRequestBytes = 8;

inline DecodeRequest requestOf(std::span<const std::uint8_t> bytes, Size size) {
  const auto share = [&](std::size_t i, int whole) { return bytes[i] * whole / 256; };
  DecodeRequest request;
  request.region.x = share(0, size.width);
  request.region.y = share(1, size.height);
  request.region.width = 1 + share(2, size.width - request.region.x);
  request.region.height = 1 + share(3, size.height - request.region.y);
  const int scale = 1 << (bytes[4] % 4);
  request.cover = {request.region.width / scale, request.region.height / scale};
  request.form = static_cast<PixelForm>(bytes[5] % 4);
  request.applyOrientation = bytes[6] % 2 == 0;
  if ((bytes[7] & 1U) != 0) request.background = {bytes[0], bytes[1], bytes[2]};
  request.cmykProfile = (bytes[7] & 2U) != 0;
  request.fillTruncated = (bytes[7] & 4U) != 0;
  return request;
}

/// The pixels or numbers as bytes.
inline ImageView bytesIn(const DecodedImage& image) {
  const ValueView& values = image.values;
  if (values.data == nullptr) return image.pixels;
  constexpr int kBytes = sizeof(float);
  return {reinterpret_cast<const std::uint8_t*>(values.data), values.width, values.height,
          values.channels * kBytes, values.stride * kBytes};
}

/// Decodes a region and the whole picture, reads every pixel, and compares them if the file is
/// valid.
inline void decodeBoth(ImageDecoder& decoder, Size size, DecodeRequest request) {
  const auto part = decoder.decode(request);
  if (!part) return;
  std::vector<std::uint8_t> kept;
  const ImageView pixels = bytesIn(*part);
  for (int y = 0; y < pixels.height; ++y)
    kept.insert(kept.end(), pixels.row(y), pixels.row(y) + pixels.width * pixels.channels);
  if (part->scale != 1) return;
  const Rect region = request.region;
  request.region = {0, 0, size.width, size.height};
  request.cover = {};
  const auto whole = decoder.decode(request);
  if (!whole || whole->warnings > 0) return;
  const ImageView all = bytesIn(*whole);
  const auto bytes = static_cast<std::ptrdiff_t>(region.width) * pixels.channels;
  for (int y = 0; y < region.height; ++y)
    if (!std::equal(
            kept.begin() + y * bytes, kept.begin() + (y + 1) * bytes,
            all.row(region.y + y) + static_cast<std::ptrdiff_t>(region.x) * pixels.channels))
      std::abort();
}

inline void decodeBytes(std::span<const std::uint8_t> file, std::span<const std::uint8_t> request) {
  // One for all inputs, as in fuzz_own_jpeg.
  static ImageDecoder decoder({.pixels = 1 << 18, .scans = 20});
  const std::span<const std::byte> bytes = std::as_bytes(file);
  const std::uint32_t pictures = countPictures(bytesOf(bytes));
  std::vector<std::byte> memory(bytes.begin(), bytes.end());
  if ((request[7] & 8U) != 0) {
    memory.resize(memory.size() + kChoiceBytes);
    // Also one more than there are.
    memory.resize(choosePicture(memory, request[4] % (pictures + 1)).value_or(0));
  }
  const auto info = decoder.open(memory);
  if (!info) return;
  const Size seen = request[6] % 2 == 0 ? info->size : info->storedSize;
  decodeBoth(decoder, seen, requestOf(request, seen));
}

}  // namespace millrace::fuzz
