// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/numbers.h"

#include <cstdint>
#include <cstring>

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

bool fromDoubles(const double* from, std::size_t count, DType type, std::byte* to) {
  if (type == DType::F64) {
    std::memcpy(to, from, count * sizeof(double));
    return true;
  }
  if (type != DType::F32) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(from[i]);
    std::memcpy(to + i * sizeof(float), &value, sizeof value);
  }
  return true;
}

}  // namespace millrace
