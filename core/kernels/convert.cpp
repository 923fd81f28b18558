// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/convert.h"

#include <cstring>
#include <type_traits>

#include "core/base/check.h"
#include "core/kernels/element.h"

namespace millrace {

namespace {

/// Rounds to nearest even and clamps; the comparisons turn NaN into 0.
template <class T>
std::uint8_t byteOf(T value) {
  const T low = value > T{0} ? value : T{0};
  return static_cast<std::uint8_t>(roundedToEven(low < T{255} ? low : T{255}));
}

/// f64 if either type is f64, else f32.
template <class From, class To>
using Between =
    std::conditional_t<std::is_same_v<From, F64Element> || std::is_same_v<To, F64Element>, double,
                       float>;

template <class From, class To, U8Range range>
void convertArray(const std::byte* from, std::byte* to, std::size_t count) {
  constexpr bool same = std::is_same_v<From, To>;
  if constexpr (same) {
    std::memmove(to, from, count * sizeof(typename From::Stored));
  } else {
    using Real = Between<From, To>;
    const auto* in = reinterpret_cast<const typename From::Stored*>(from);
    auto* out = reinterpret_cast<typename To::Stored*>(to);
    for (std::size_t i = 0; i < count; ++i) {
      auto value = static_cast<Real>(From::read(in[i]));
      if constexpr (std::is_same_v<From, U8Element> && range == U8Range::Unit) value /= Real{255};
      if constexpr (std::is_same_v<To, U8Element>)
        out[i] = byteOf(range == U8Range::Unit ? value * Real{255} : value);
      else
        out[i] = To::write(value);
    }
  }
}

template <class From, U8Range range>
Converter converterTo(DType to) {
  switch (to) {
    case DType::U8: return convertArray<From, U8Element, range>;
    case DType::F16: return convertArray<From, F16Element, range>;
    case DType::BF16: return convertArray<From, BF16Element, range>;
    case DType::F32: return convertArray<From, F32Element, range>;
    case DType::F64: return convertArray<From, F64Element, range>;
    default: return nullptr;
  }
}

template <U8Range range>
Converter converterFrom(DType from, DType to) {
  switch (from) {
    case DType::U8: return converterTo<U8Element, range>(to);
    case DType::F16: return converterTo<F16Element, range>(to);
    case DType::BF16: return converterTo<BF16Element, range>(to);
    case DType::F32: return converterTo<F32Element, range>(to);
    case DType::F64: return converterTo<F64Element, range>(to);
    default: return nullptr;
  }
}

std::size_t area(Size size) {
  return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
}

}  // namespace

Converter converter(DType from, DType to, U8Range range) {
  return range == U8Range::Unit ? converterFrom<U8Range::Unit>(from, to)
                                : converterFrom<U8Range::Plain>(from, to);
}

void normalise(float* data, Size size, int channels, Layout layout,
               const std::array<float, 4>& mean, const std::array<float, 4>& deviation) {
  MILLRACE_CHECK(channels >= 1 && channels <= 4, "needs 1 to 4 channels");
  const auto count = static_cast<std::size_t>(channels);
  const std::size_t pixels = area(size);
  for (std::size_t c = 0; c < count; ++c) {
    const bool planar = layout == Layout::Chw;
    float* at = data + (planar ? c * pixels : c);
    const std::size_t step = planar ? 1 : count;
    for (std::size_t i = 0; i < pixels; ++i) at[i * step] = (at[i * step] - mean[c]) / deviation[c];
  }
}

}  // namespace millrace
