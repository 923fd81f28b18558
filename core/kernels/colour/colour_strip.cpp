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

namespace hn = hwy::HWY_NAMESPACE;
using Floats = hn::CappedTag<float, 16>;
using Whole = hn::Rebind<std::int32_t, Floats>;
using Bytes = hn::Rebind<std::uint8_t, Floats>;
using VFloats = hn::Vec<Floats>;

HWY_INLINE VFloats set(float value) { return hn::Set(Floats(), value); }

HWY_INLINE VFloats unitsOf(const std::uint8_t* bytes) {
  const auto whole = hn::PromoteTo(Whole(), hn::LoadU(Bytes(), bytes));
  return hn::Div(hn::ConvertTo(Floats(), whole), set(255.0F));
}

/// clampUnit()
HWY_INLINE VFloats clamped(VFloats value) { return hn::Min(hn::Max(value, set(0.0F)), set(1.0F)); }

/// hueOf()
HWY_INLINE VFloats huesOf(VFloats r, VFloats g, VFloats b, VFloats most, VFloats least) {
  const auto range = hn::IfThenElse(hn::Eq(most, least), set(1.0F), hn::Sub(most, least));
  const auto fromR = hn::Div(hn::Sub(most, r), range);
  const auto fromG = hn::Div(hn::Sub(most, g), range);
  const auto fromB = hn::Div(hn::Sub(most, b), range);
  const auto ofG = hn::Sub(hn::Add(fromR, set(2.0F)), fromB);
  const auto ofB = hn::Sub(hn::Add(fromG, set(4.0F)), fromR);
  const auto ofGB = hn::IfThenElse(hn::Eq(most, g), ofG, ofB);
  const auto sixths = hn::IfThenElse(hn::Eq(most, r), hn::Sub(fromB, fromG), ofGB);
  const auto turns = hn::Add(hn::Mul(sixths, set(1.0F / 6.0F)), set(1.0F));
  return hn::IfThenElse(hn::Ge(turns, set(1.0F)), hn::Sub(turns, set(1.0F)), turns);
}

/// cutToByte() of a channel from 0 to 1.
HWY_INLINE void storeBytes(VFloats unit, std::uint8_t* bytes) {
  const auto scaled = hn::Min(hn::Mul(unit, set(255.999F)), set(255.0F));
  hn::StoreU(hn::DemoteTo(Bytes(), hn::ConvertTo(Whole(), scaled)), Bytes(), bytes);
}

/// turnHue() of as many pixels as a vector has lanes: the same operations in the same order. g++
/// does not vectorise its cases.
HWY_INLINE void turnHues(ColourStrip& strip, std::size_t first, float turns) {
  const auto r = unitsOf(strip.r + first);
  const auto g = unitsOf(strip.g + first);
  const auto b = unitsOf(strip.b + first);
  const auto v = hn::Max(hn::Max(r, g), b);
  const auto least = hn::Min(hn::Min(r, g), b);
  const auto one = set(1.0F);
  const auto s = hn::Div(hn::Sub(v, least), hn::IfThenElse(hn::Eq(v, least), one, v));
  auto h = hn::Add(huesOf(r, g, b, v, least), set(turns));
  h = hn::IfThenElse(hn::Lt(h, set(0.0F)), hn::Add(h, one), h);
  h = hn::IfThenElse(hn::Ge(h, one), hn::Sub(h, one), h);

  const auto sixths = hn::Mul(h, set(6.0F));
  const auto sector = hn::ConvertTo(Floats(), hn::ConvertTo(Whole(), sixths));
  const auto part = hn::Mul(s, hn::Sub(sixths, sector));
  const auto rest = hn::Sub(one, s);
  const auto p = clamped(hn::Mul(rest, v));
  const auto q = clamped(hn::Mul(hn::Sub(one, part), v));
  const auto t = clamped(hn::Mul(hn::Add(part, rest), v));
  const auto is = [&](float number) { return hn::Eq(sector, set(number)); };
  const auto in0 = hn::Or(is(0.0F), is(6.0F));
  const auto in1 = is(1.0F);
  const auto in2 = is(2.0F);
  const auto in3 = is(3.0F);
  const auto in4 = is(4.0F);
  const auto in5 = is(5.0F);
  const auto choose = [&](auto ofV, auto alsoOfV, auto ofQ, auto ofT) {
    const auto low = hn::IfThenElse(ofQ, q, hn::IfThenElse(ofT, t, p));
    return hn::IfThenElse(hn::Or(ofV, alsoOfV), v, low);
  };
  storeBytes(choose(in0, in5, in1, in4), strip.r + first);
  storeBytes(choose(in1, in2, in3, in0), strip.g + first);
  storeBytes(choose(in3, in4, in5, in2), strip.b + first);
}

void turnHueHere(ColourStrip& strip, float turns) {
  const std::size_t lanes = hn::Lanes(Floats());
  std::size_t i = 0;
  for (; i + lanes <= strip.count; i += lanes) turnHues(strip, i, turns);
  for (; i < strip.count; ++i) {
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
