// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device/device_mix.h"

#include "core/base/check.h"
#include "core/cuda/launch.h"
#include "core/kernels/mix_rules.h"

namespace millrace {

namespace {

/// The row that row y is mixed with.
MILLRACE_HOST_DEVICE inline std::uint32_t before(std::uint32_t y, std::int32_t rows) {
  return y == 0 ? static_cast<std::uint32_t>(rows) - 1 : y - 1;
}

/// x: an element of a row, y: a batch row.
template <class Element>
struct MixRows {
  using Stored = typename Element::Stored;
  DeviceMix mix;
  MixReal<Element> firstShare;
  MixReal<Element> secondShare;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    const auto* from = reinterpret_cast<const Stored*>(mix.from);
    auto* to = reinterpret_cast<Stored*>(mix.to);
    const std::int64_t at = y * mix.elements + x;
    to[at] = mixedElement<Element>(from[at], from[before(y, mix.rows) * mix.elements + x],
                                   firstShare, secondShare);
  }
};

/// x: an element of a row, y: a batch row; `Stored` is any type of the elements' size.
template <class Stored>
struct MixBoxes {
  DeviceMix mix;
  Rect box;
  Size size;
  std::int32_t channels;
  bool planar;

  MILLRACE_HOST_DEVICE void operator()(std::uint32_t x, std::uint32_t y, std::uint32_t) const {
    const auto width = static_cast<std::uint32_t>(size.width);
    const auto height = static_cast<std::uint32_t>(size.height);
    const std::uint32_t pixel =
        planar ? x % (width * height) : x / static_cast<std::uint32_t>(channels);
    const auto column = static_cast<std::int32_t>(pixel % width);
    const auto line = static_cast<std::int32_t>(pixel / width);
    const bool inside =
        column >= box.x && column < box.x + box.width && line >= box.y && line < box.y + box.height;
    const std::uint32_t source = inside ? before(y, mix.rows) : y;
    reinterpret_cast<Stored*>(mix.to)[y * mix.elements + x] =
        reinterpret_cast<const Stored*>(mix.from)[source * mix.elements + x];
  }
};

Extent extentOf(const DeviceMix& mix) {
  MILLRACE_CHECK(mix.elements <= UINT32_MAX, "a row must have fewer than 2^32 elements");
  return {static_cast<std::uint32_t>(mix.elements), static_cast<std::uint32_t>(mix.rows), 1};
}

template <class Element>
Status mixRows(Stream& stream, const DeviceMix& mix, double share) {
  return forEach(stream, "mix rows", extentOf(mix),
                 MixRows<Element>{mix, static_cast<MixReal<Element>>(share),
                                  static_cast<MixReal<Element>>(1 - share)});
}

template <class Stored>
Status mixBoxes(Stream& stream, const DeviceMix& mix, Rect box, Size size, int channels,
                bool planar) {
  return forEach(stream, "mix boxes", extentOf(mix),
                 MixBoxes<Stored>{mix, box, size, channels, planar});
}

}  // namespace

Status launchCopyRows(Stream& stream, const DeviceMix& mix) {
  return stream.copyOnDevice(mix.to, mix.from,
                             static_cast<std::size_t>(mix.elements) *
                                 static_cast<std::size_t>(mix.rows) * sizeOf(mix.dtype));
}

Status launchMixRows(Stream& stream, const DeviceMix& mix, double share) {
  MILLRACE_CHECK(share >= 0 && share <= 1, "a share must be from 0 to 1");
  switch (mix.dtype) {
    case DType::U8: return mixRows<MixedU8>(stream, mix, share);
    case DType::F16: return mixRows<F16Element>(stream, mix, share);
    case DType::BF16: return mixRows<BF16Element>(stream, mix, share);
    case DType::F32: return mixRows<F32Element>(stream, mix, share);
    case DType::F64: return mixRows<F64Element>(stream, mix, share);
    default: MILLRACE_CHECK(false, "only u8 and float elements can be mixed");
  }
}

Status launchMixBoxes(Stream& stream, const DeviceMix& mix, Rect box, Size size, int channels,
                      bool planar) {
  switch (sizeOf(mix.dtype)) {
    case 1: return mixBoxes<std::uint8_t>(stream, mix, box, size, channels, planar);
    case 2: return mixBoxes<std::uint16_t>(stream, mix, box, size, channels, planar);
    case 4: return mixBoxes<std::uint32_t>(stream, mix, box, size, channels, planar);
    default: MILLRACE_CHECK(false, "elements must have 1, 2 or 4 bytes");
  }
}

}  // namespace millrace
