// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/numbers.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/base/check.h"
#include "core/kernels/convert.h"

namespace millrace {

namespace {

template <class T>
void widen(const std::byte* from, std::size_t count, double* to) {
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    to[i] = static_cast<double>(value);
  }
}

template <class T>
T nearest(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    if (std::isnan(value)) return 0;
    const double rounded = std::nearbyint(value);
    if (rounded <= static_cast<double>(std::numeric_limits<T>::min()))
      return std::numeric_limits<T>::min();
    // The largest i64 is not an f64; the next one is beyond it.
    if (rounded >= static_cast<double>(std::numeric_limits<T>::max()))
      return std::numeric_limits<T>::max();
    return static_cast<T>(rounded);
  }
}

template <class T>
void narrow(const double* from, std::size_t count, std::byte* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const T value = nearest<T>(from[i]);
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

}  // namespace

void toDoubles(DType type, const std::byte* from, std::size_t count, double* to) {
  switch (type) {
    case DType::U8: return widen<std::uint8_t>(from, count, to);
    case DType::I8: return widen<std::int8_t>(from, count, to);
    case DType::U16: return widen<std::uint16_t>(from, count, to);
    case DType::I16: return widen<std::int16_t>(from, count, to);
    case DType::I32: return widen<std::int32_t>(from, count, to);
    case DType::I64: return widen<std::int64_t>(from, count, to);
    case DType::F32: return widen<float>(from, count, to);
    case DType::F64: return widen<double>(from, count, to);
    case DType::F16:
    case DType::BF16:
      return converter(type, DType::F64, U8Range::Plain)(from, reinterpret_cast<std::byte*>(to),
                                                         count);
    case DType::Encoded: break;
  }
  MILLRACE_CHECK(false, "encoded bytes are not numbers");
}

void fromDoubles(const double* from, std::size_t count, DType type, std::byte* to) {
  switch (type) {
    case DType::U8: return narrow<std::uint8_t>(from, count, to);
    case DType::I8: return narrow<std::int8_t>(from, count, to);
    case DType::U16: return narrow<std::uint16_t>(from, count, to);
    case DType::I16: return narrow<std::int16_t>(from, count, to);
    case DType::I32: return narrow<std::int32_t>(from, count, to);
    case DType::I64: return narrow<std::int64_t>(from, count, to);
    case DType::F32: return narrow<float>(from, count, to);
    case DType::F64: return narrow<double>(from, count, to);
    case DType::F16:
    case DType::BF16:
      return converter(DType::F64, type, U8Range::Plain)(reinterpret_cast<const std::byte*>(from),
                                                         to, count);
    case DType::Encoded: break;
  }
  MILLRACE_CHECK(false, "encoded bytes are not numbers");
}

}  // namespace millrace
