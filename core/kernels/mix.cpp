// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/mix.h"

#include <cstring>

#include "core/base/check.h"
#include "core/kernels/mix_rules.h"

namespace millrace {

namespace {

template <class Element>
void mixArrays(const std::byte* a, const std::byte* b, double share, std::size_t count,
               std::byte* out) {
  using Stored = typename Element::Stored;
  const auto* first = reinterpret_cast<const Stored*>(a);
  const auto* second = reinterpret_cast<const Stored*>(b);
  auto* to = reinterpret_cast<Stored*>(out);
  const auto firstShare = static_cast<MixReal<Element>>(share);
  const auto secondShare = static_cast<MixReal<Element>>(1 - share);
  for (std::size_t i = 0; i < count; ++i)
    to[i] = mixedElement<Element>(first[i], second[i], firstShare, secondShare);
}

}  // namespace

void mix(const std::byte* a, const std::byte* b, double share, DType type, std::size_t count,
         std::byte* out) {
  MILLRACE_CHECK(share >= 0 && share <= 1, "a share must be from 0 to 1");
  switch (type) {
    case DType::U8: return mixArrays<MixedU8>(a, b, share, count, out);
    case DType::F16: return mixArrays<F16Element>(a, b, share, count, out);
    case DType::BF16: return mixArrays<BF16Element>(a, b, share, count, out);
    case DType::F32: return mixArrays<F32Element>(a, b, share, count, out);
    case DType::F64: return mixArrays<F64Element>(a, b, share, count, out);
    default: MILLRACE_CHECK(false, "only u8 and float elements can be mixed");
  }
}

void copyBox(const std::byte* from, Size size, int channels, std::size_t elementBytes,
             Layout layout, Rect box, std::byte* to) {
  MILLRACE_CHECK(box.x >= 0 && box.y >= 0 && box.width >= 0 && box.height >= 0 &&
                     box.width <= size.width - box.x && box.height <= size.height - box.y,
                 "the box must be inside the picture");
  const bool planar = layout == Layout::Chw;
  const auto pixelBytes = elementBytes * static_cast<std::size_t>(planar ? 1 : channels);
  const auto rowBytes = static_cast<std::size_t>(size.width) * pixelBytes;
  const auto planeBytes = rowBytes * static_cast<std::size_t>(size.height);
  for (int plane = 0; plane < (planar ? channels : 1); ++plane)
    for (int y = box.y; y < box.y + box.height; ++y) {
      const std::size_t at = static_cast<std::size_t>(plane) * planeBytes +
                             static_cast<std::size_t>(y) * rowBytes +
                             static_cast<std::size_t>(box.x) * pixelBytes;
      std::memcpy(to + at, from + at, static_cast<std::size_t>(box.width) * pixelBytes);
    }
}

}  // namespace millrace
