// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/warp/grid_rows.h"

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/warp/grid_rows.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::HWY_NAMESPACE {

void addToPlacesHere(const float* HWY_RESTRICT across, float down, float rest, std::size_t count,
                     float* HWY_RESTRICT places) {
  for (std::size_t i = 0; i < count; ++i) places[i] = (across[i] + down) + rest;
}

/// The place in pixels, where whole numbers are centres of pixels; at most two pixels outside, also
/// for what is not a number. The product is exact in f64, so this rounds once.
HWY_INLINE float pixelPlace(float place, double half, float most) {
  const auto pixel = static_cast<float>(static_cast<double>(place + 1.0F) * half - 0.5);
  const float low = pixel > -2.0F ? pixel : -2.0F;
  return low < most ? low : most;
}

void nearestPixelsHere(const float* HWY_RESTRICT places, std::size_t count, std::int32_t size,
                       std::int32_t* HWY_RESTRICT pixels) {
  const double half = static_cast<double>(size) / 2;
  const auto most = static_cast<float>(size + 1);
  // Adding 1.5 * 2^23 rounds to the nearest even integer.
  constexpr float kRound = 12582912.0F;
  for (std::size_t i = 0; i < count; ++i) {
    const float rounded = (pixelPlace(places[i], half, most) + kRound) - kRound;
    pixels[i] = static_cast<std::int32_t>(rounded);
  }
}

void pixelsBeforeHere(const float* HWY_RESTRICT places, std::size_t count, std::int32_t size,
                      std::int32_t* HWY_RESTRICT pixels, float* HWY_RESTRICT shares) {
  const double half = static_cast<double>(size) / 2;
  const auto most = static_cast<float>(size + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const float place = pixelPlace(places[i], half, most);
    // Places are at least -2, so that cutting the fraction of place + 2 rounds down.
    const auto pixel = static_cast<std::int32_t>(place + 2.0F) - 2;
    const auto exact = static_cast<float>(pixel) > place ? pixel - 1 : pixel;
    pixels[i] = exact;
    shares[i] = place - static_cast<float>(exact);
  }
}

#if HWY_NATIVE_FMA
namespace hn = hwy::HWY_NAMESPACE;
using Four = hn::FixedTag<float, 4>;

HWY_INLINE hn::Vec<Four> pixelAt(const std::uint8_t* at) {
  const hn::FixedTag<std::int32_t, 4> whole;
  return hn::ConvertTo(Four(),
                       hn::PromoteTo(whole, hn::LoadU(hn::FixedTag<std::uint8_t, 4>(), at)));
}

std::size_t blendInsideHere(const GridBlend& blend, std::size_t begin, std::size_t end,
                            std::uint8_t* out) {
  const Four four;
  const auto bytes = hn::FixedTag<std::uint8_t, 4>();
  const ImageView& from = blend.from;
  const auto lastColumn = static_cast<std::uint32_t>(from.width - 1);
  const auto lastRow = static_cast<std::uint32_t>(from.height - 1);
  const auto step = static_cast<std::size_t>(from.channels);
  const auto fill = blend.fill == nullptr ? hn::Zero(four) : pixelAt(blend.fill);
  std::size_t i = begin;
  for (; i < end; ++i) {
    const auto x = static_cast<std::uint32_t>(blend.columns[i]);
    const auto y = static_cast<std::uint32_t>(blend.rows[i]);
    // Four bytes are read of three, so the last pixel of all is left out.
    if (x >= lastColumn || y >= lastRow || (x + 1 == lastColumn && y + 1 == lastRow)) break;
    const std::uint8_t* at = from.row(blend.rows[i]) + static_cast<std::size_t>(x) * step;
    const float right = blend.right[i];
    const float down = blend.down[i];
    const float left = 1.0F - right;
    const float up = 1.0F - down;
    const float weights[4] = {left * up, right * up, left * down, right * down};
    auto sum = hn::Mul(pixelAt(at), hn::Set(four, weights[0]));
    sum = hn::MulAdd(pixelAt(at + step), hn::Set(four, weights[1]), sum);
    sum = hn::MulAdd(pixelAt(at + from.stride), hn::Set(four, weights[2]), sum);
    sum = hn::MulAdd(pixelAt(at + from.stride + step), hn::Set(four, weights[3]), sum);
    if (blend.fill != nullptr) {
      const float share = weights[0] + weights[1] + weights[2] + weights[3];
      sum = hn::Add(hn::Mul(hn::Sub(sum, fill), hn::Set(four, share)), fill);
    }
    HWY_ALIGN std::uint8_t pixel[4];
    hn::StoreU(hn::DemoteTo(bytes, hn::NearestInt(sum)), bytes, pixel);
    for (std::size_t c = 0; c < step; ++c) out[i * step + c] = pixel[c];
  }
  return i;
}
#else
std::size_t blendInsideHere(const GridBlend&, std::size_t begin, std::size_t, std::uint8_t*) {
  return begin;
}
#endif

}  // namespace millrace::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace {

HWY_EXPORT(addToPlacesHere);
HWY_EXPORT(nearestPixelsHere);
HWY_EXPORT(pixelsBeforeHere);
HWY_EXPORT(blendInsideHere);

void addToPlaces(const float* across, float down, float rest, std::size_t count, float* places) {
  HWY_DYNAMIC_DISPATCH(addToPlacesHere)(across, down, rest, count, places);
}
void nearestPixels(const float* places, std::size_t count, std::int32_t size,
                   std::int32_t* pixels) {
  HWY_DYNAMIC_DISPATCH(nearestPixelsHere)(places, count, size, pixels);
}
void pixelsBefore(const float* places, std::size_t count, std::int32_t size, std::int32_t* pixels,
                  float* shares) {
  HWY_DYNAMIC_DISPATCH(pixelsBeforeHere)(places, count, size, pixels, shares);
}
std::size_t blendInside(const GridBlend& blend, std::size_t begin, std::size_t end,
                        std::uint8_t* out) {
  return HWY_DYNAMIC_DISPATCH(blendInsideHere)(blend, begin, end, out);
}

}  // namespace millrace
#endif
