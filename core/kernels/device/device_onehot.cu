// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device/device_onehot.h"

#include "core/base/check.h"
#include "core/cuda/launch.h"
#include "core/kernels/host_device.h"

namespace millrace {

namespace {

template <class T>
MILLRACE_HOST_DEVICE inline std::int64_t numberAt(std::uint64_t address, std::int64_t i) {
  return static_cast<std::int64_t>(reinterpret_cast<const T*>(address)[i]);
}

MILLRACE_HOST_DEVICE inline std::int64_t numberAt(DType dtype, std::uint64_t address,
                                                  std::int64_t i) {
  switch (dtype) {
    case DType::U8: return numberAt<std::uint8_t>(address, i);
    case DType::I8: return numberAt<std::int8_t>(address, i);
    case DType::U16: return numberAt<std::uint16_t>(address, i);
    case DType::I16: return numberAt<std::int16_t>(address, i);
    case DType::I32: return numberAt<std::int32_t>(address, i);
    default: return numberAt<std::int64_t>(address, i);
  }
}

/// x: an element of the result, y: a batch row.
template <class T>
struct OneHotElements {
  DeviceOneHot oneHot;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    const DeviceOneHotRow row = oneHot.rows[y];
    const std::int64_t element = x;
    if (element >= row.numbers * oneHot.classes) return;
    const std::int64_t number = oneHot.planar ? element % row.numbers : element / oneHot.classes;
    const std::int64_t own = oneHot.planar ? element / row.numbers : element % oneHot.classes;
    reinterpret_cast<T*>(row.out)[element] =
        numberAt(oneHot.from, row.source, number) == own ? T{1} : T{0};
  }
};

}  // namespace

Status launchOneHot(Stream& stream, const DeviceOneHot& oneHot) {
  const std::int64_t elements = oneHot.mostNumbers * oneHot.classes;
  MILLRACE_CHECK(elements <= UINT32_MAX, "a row must have fewer than 2^32 elements");
  const Extent extent{static_cast<std::uint32_t>(elements),
                      static_cast<std::uint32_t>(oneHot.rowCount), 1};
  if (oneHot.to == DType::U8)
    return forEach(stream, "one-hot", extent, OneHotElements<std::uint8_t>{oneHot});
  MILLRACE_CHECK(oneHot.to == DType::F32, "one-hot elements must be u8 or f32");
  return forEach(stream, "one-hot", extent, OneHotElements<float>{oneHot});
}

}  // namespace millrace
