// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/colour/colour_strip.h"

#include "core/kernels/colour/colour_rules.h"

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/colour/colour_strip.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::HWY_NAMESPACE {

void blendBytesHere(std::uint8_t* HWY_RESTRICT bytes, std::size_t count, float ratio, float other) {
  for (std::size_t i = 0; i < count; ++i) bytes[i] = blendByte(bytes[i], ratio, other);
}

template <std::size_t kChannels>
HWY_INLINE void splitPixels(const std::uint8_t* HWY_RESTRICT pixels,
                            ColourStrip& HWY_RESTRICT strip) {
  for (std::size_t i = 0; i < strip.count; ++i) {
    strip.r[i] = pixels[i * kChannels];
    strip.g[i] = pixels[i * kChannels + 1];
    strip.b[i] = pixels[i * kChannels + 2];
  }
}

template <std::size_t kChannels>
HWY_INLINE void joinPixels(const ColourStrip& HWY_RESTRICT strip,
                           std::uint8_t* HWY_RESTRICT pixels) {
  for (std::size_t i = 0; i < strip.count; ++i) {
    pixels[i * kChannels] = strip.r[i];
    pixels[i * kChannels + 1] = strip.g[i];
    pixels[i * kChannels + 2] = strip.b[i];
  }
}

void readStripHere(const std::uint8_t* pixels, int channels, std::size_t count,
                   ColourStrip& strip) {
  strip.count = count;
  if (channels == 3)
    splitPixels<3>(pixels, strip);
  else
    splitPixels<4>(pixels, strip);
}

void writeStripHere(const ColourStrip& strip, int channels, std::uint8_t* pixels) {
  if (channels == 3)
    joinPixels<3>(strip, pixels);
  else
    joinPixels<4>(strip, pixels);
}

std::uint64_t sumOfGreyHere(const ColourStrip& strip) {
  std::uint32_t sum = 0;  // at most kPixels * 255
  for (std::size_t i = 0; i < strip.count; ++i) sum += greyOf({strip.r[i], strip.g[i], strip.b[i]});
  return sum;
}

void toGreyHere(ColourStrip& strip) {
  for (std::size_t i = 0; i < strip.count; ++i) {
    const std::uint8_t grey = greyOf({strip.r[i], strip.g[i], strip.b[i]});
    strip.r[i] = grey;
    strip.g[i] = grey;
    strip.b[i] = grey;
  }
}

/// saturateByte(), with the instruction for a fused sum where there is one.
HWY_INLINE std::uint8_t saturateHere(std::uint8_t value, float ratio, float grey, float rest) {
#if HWY_NATIVE_FMA
  return cutToByte(__builtin_fmaf(grey, rest, static_cast<float>(value) * ratio));
#else
  return saturateByte(value, ratio, static_cast<std::uint8_t>(grey), rest);
#endif
}

void blendWithGreyHere(ColourStrip& strip, float ratio, float rest) {
  for (std::size_t i = 0; i < strip.count; ++i) {
    const auto grey = static_cast<float>(greyOf({strip.r[i], strip.g[i], strip.b[i]}));
    strip.r[i] = saturateHere(strip.r[i], ratio, grey, rest);
    strip.g[i] = saturateHere(strip.g[i], ratio, grey, rest);
    strip.b[i] = saturateHere(strip.b[i], ratio, grey, rest);
  }
}

void turnHueHere(ColourStrip& strip, float turns) {
  for (std::size_t i = 0; i < strip.count; ++i) {
    const Rgb turned = turnHue(Rgb{strip.r[i], strip.g[i], strip.b[i]}, turns);
    strip.r[i] = turned.r;
    strip.g[i] = turned.g;
    strip.b[i] = turned.b;
  }
}

}  // namespace millrace::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace {

HWY_EXPORT(blendBytesHere);
HWY_EXPORT(readStripHere);
HWY_EXPORT(writeStripHere);
HWY_EXPORT(sumOfGreyHere);
HWY_EXPORT(toGreyHere);
HWY_EXPORT(blendWithGreyHere);
HWY_EXPORT(turnHueHere);

void blendBytes(std::uint8_t* bytes, std::size_t count, float ratio, float other) {
  HWY_DYNAMIC_DISPATCH(blendBytesHere)(bytes, count, ratio, other);
}
void readStrip(const std::uint8_t* pixels, int channels, std::size_t count, ColourStrip& strip) {
  HWY_DYNAMIC_DISPATCH(readStripHere)(pixels, channels, count, strip);
}
void writeStrip(const ColourStrip& strip, int channels, std::uint8_t* pixels) {
  HWY_DYNAMIC_DISPATCH(writeStripHere)(strip, channels, pixels);
}
std::uint64_t sumOfGrey(const ColourStrip& strip) {
  return HWY_DYNAMIC_DISPATCH(sumOfGreyHere)(strip);
}
void toGrey(ColourStrip& strip) { HWY_DYNAMIC_DISPATCH(toGreyHere)(strip); }
void blendWithGrey(ColourStrip& strip, float ratio, float rest) {
  HWY_DYNAMIC_DISPATCH(blendWithGreyHere)(strip, ratio, rest);
}
void turnHue(ColourStrip& strip, float turns) { HWY_DYNAMIC_DISPATCH(turnHueHere)(strip, turns); }

}  // namespace millrace
#endif
