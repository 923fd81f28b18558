// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The last loop of the plane pass: combines rows of Y, Cb and Cr, already in the result's width, to
// a row of the result. Colour conversion, normalisation, type and layout happen at once; nothing is
// written twice. Every product and every sum is rounded separately: a fused multiply-add would give
// other bits than levels without one.
#include <cstring>

#include "core/kernels/half.h"
#include "core/kernels/pass/plane_rows.h"

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/pass/plane_colours.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::planes::HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;

using DFloat = hn::CappedTag<float, 16>;
using DInt = hn::RebindToSigned<DFloat>;
using DWord = hn::Rebind<std::uint16_t, DFloat>;
using VFloat = hn::Vec<DFloat>;
constexpr std::size_t kStep = HWY_MAX_BYTES >= 64 ? 16 : HWY_MAX_BYTES / 4;

// The result types: their memory format, and how a vector of f32 is converted.

struct ToF32 {
  using D = DFloat;
  static HWY_INLINE VFloat of(VFloat value) { return value; }
};

struct ToU8 {
  using D = hn::Rebind<std::uint8_t, DFloat>;
  static HWY_INLINE hn::Vec<D> of(VFloat value) { return hn::DemoteTo(D(), hn::NearestInt(value)); }
};

/// bf16FromF32() for values that are not NaN.
struct ToBF16 {
  using D = DWord;
  static HWY_INLINE hn::Vec<D> of(VFloat value) {
    const hn::RebindToUnsigned<DFloat> d;
    const auto bits = hn::BitCast(d, value);
    const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(d, 1));
    const auto sum = hn::Add(bits, hn::Add(odd, hn::Set(d, 0x7fff)));
    return hn::DemoteTo(D(), hn::BitCast(DInt(), hn::ShiftRight<16>(sum)));
  }
};

struct ToF16 {
  using D = DWord;
  static HWY_INLINE hn::Vec<D> of(VFloat value) {
#if HWY_TARGET <= HWY_AVX2
    // The instruction rounds like f16FromF32().
    return hn::BitCast(D(), hn::DemoteTo(hn::Rebind<hwy::float16_t, DFloat>(), value));
#else
    alignas(16) float values[kStep];
    alignas(16) std::uint16_t halves[kStep];
    hn::Store(value, DFloat(), values);
    for (std::size_t i = 0; i < kStep; ++i) halves[i] = f16FromF32(values[i]);
    return hn::Load(D(), halves);
#endif
  }
};

template <class Type>
using Element = hn::TFromD<typename Type::D>;

enum class Form { One, Planar, Interleaved };
constexpr int channelsOf(Form form) { return form == Form::One ? 1 : 3; }

HWY_INLINE VFloat samplesAt(const std::int16_t* at) {
  const hn::Rebind<std::int16_t, DFloat> d;
  return hn::ConvertTo(DFloat(), hn::PromoteTo(DInt(), hn::LoadU(d, at)));
}

/// The channels of pixels x to x + kStep, in fractions of a level, not yet clamped to 0 to 255.
template <int kChannels>
HWY_INLINE void coloursAt(const ColourRow& row, std::size_t x, VFloat* colours) {
  const DFloat d;
  const VFloat luma = hn::Add(samplesAt(row.luma + x), hn::Set(d, kMiddle));
  colours[0] = luma;
  if constexpr (kChannels == 3) {
    const VFloat blue = samplesAt(row.blue + x);
    const VFloat red = samplesAt(row.red + x);
    const VFloat lessBlue = hn::Sub(luma, hn::Mul(blue, hn::Set(d, kGreenOfCb)));
    colours[0] = hn::Add(luma, hn::Mul(red, hn::Set(d, kRedOfCr)));
    colours[1] = hn::Sub(lessBlue, hn::Mul(red, hn::Set(d, kGreenOfCr)));
    colours[2] = hn::Add(luma, hn::Mul(blue, hn::Set(d, kBlueOfCb)));
  }
}

HWY_INLINE VFloat finished(VFloat colour, float scale, float offset) {
  const DFloat d;
  const VFloat level = hn::Min(hn::Max(colour, hn::Zero(d)), hn::Set(d, kMostLevel));
  return hn::Add(hn::Mul(level, hn::Set(d, scale)), hn::Set(d, offset));
}

template <class Type, Form kForm>
HWY_INLINE void storeColours(const VFloat* values, std::size_t plane, Element<Type>* out) {
  const typename Type::D d;
  if constexpr (kForm == Form::Interleaved) {
    hn::StoreInterleaved3(Type::of(values[0]), Type::of(values[1]), Type::of(values[2]), d, out);
  } else {
    for (int c = 0; c < channelsOf(kForm); ++c)
      hn::StoreU(Type::of(values[c]), d, out + static_cast<std::size_t>(c) * plane);
  }
}

/// Stores the last pixels of a row, which do not fill a vector, through the buffer `rest`.
template <class Type, Form kForm>
HWY_INLINE void storeRest(const VFloat* values, std::size_t count, std::size_t plane,
                          Element<Type>* out) {
  constexpr auto kChannels = static_cast<std::size_t>(channelsOf(kForm));
  Element<Type> rest[kChannels * kStep];
  storeColours<Type, kForm>(values, kStep, rest);
  if constexpr (kForm == Form::Interleaved) {
    std::memcpy(out, rest, count * kChannels * sizeof(*out));
  } else {
    for (std::size_t c = 0; c < kChannels; ++c)
      std::memcpy(out + c * plane, rest + c * kStep, count * sizeof(*out));
  }
}

template <class Type, Form kForm>
HWY_INLINE void convertForm(const ColourPlan& plan, const ColourRow& row, std::byte* bytes) {
  constexpr int kChannels = channelsOf(kForm);
  constexpr std::size_t kPixel = kForm == Form::Interleaved ? 3 : 1;
  auto* out = reinterpret_cast<Element<Type>*>(bytes);
  const std::array<float, 3> scale = plan.scale;
  const std::array<float, 3> offset = plan.offset;
  for (std::size_t x = 0; x < row.count; x += kStep, out += kStep * kPixel) {
    VFloat values[kChannels];
    coloursAt<kChannels>(row, x, values);
    for (std::size_t c = 0; c < kChannels; ++c)
      values[c] = finished(values[c], scale[c], offset[c]);
    if (HWY_LIKELY(x + kStep <= row.count))
      storeColours<Type, kForm>(values, plan.plane, out);
    else
      storeRest<Type, kForm>(values, row.count - x, plan.plane, out);
  }
}

template <class Type>
void convertType(const ColourPlan& plan, const ColourRow& row, std::byte* out) {
  if (plan.channels == 1)
    convertForm<Type, Form::One>(plan, row, out);
  else if (plan.planar)
    convertForm<Type, Form::Planar>(plan, row, out);
  else
    convertForm<Type, Form::Interleaved>(plan, row, out);
}

void convertColoursHere(const ColourPlan& plan, const ColourRow& row, std::byte* out) {
  switch (plan.dtype) {
    case DType::F16: convertType<ToF16>(plan, row, out); break;
    case DType::BF16: convertType<ToBF16>(plan, row, out); break;
    case DType::U8: convertType<ToU8>(plan, row, out); break;
    default: convertType<ToF32>(plan, row, out);
  }
}

#else

void convertColoursHere(const ColourPlan& plan, const ColourRow& row, std::byte* out) {
  plain::convertColours(plan, row, out);
}

#endif

}  // namespace millrace::planes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::planes {

HWY_EXPORT(convertColoursHere);

void convertColours(const ColourPlan& plan, const ColourRow& row, std::byte* out) {
  HWY_DYNAMIC_DISPATCH(convertColoursHere)(plan, row, out);
}

}  // namespace millrace::planes
#endif
