// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "core/codecs/jpeg/scan_bytes.h"

#define HWY_DISABLED_TARGETS HWY_SSSE3
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/codecs/jpeg/copy_until_ff.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::jpeg::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::size_t copyUntilFfHere(const std::uint8_t* from, std::size_t size, std::uint8_t* to) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::CappedTag<std::uint8_t, kCopyOverrun> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto marker = hn::Set(d, 0xff);
  for (; i + lanes <= size; i += lanes) {
    const auto bytes = hn::LoadU(d, from + i);
    hn::StoreU(bytes, d, to + i);
    const std::intptr_t found = hn::FindFirstTrue(d, hn::Eq(bytes, marker));
    if (found >= 0) return i + static_cast<std::size_t>(found);
  }
#endif
  for (; i < size && from[i] != 0xff; ++i) to[i] = from[i];
  return i;
}

std::size_t countFfHere(std::span<const std::uint8_t> bytes) {
  std::size_t count = 0;
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto marker = hn::Set(d, 0xff);
  for (; i + lanes <= bytes.size(); i += lanes)
    count += hn::CountTrue(d, hn::Eq(hn::LoadU(d, bytes.data() + i), marker));
#endif
  for (; i < bytes.size(); ++i) count += bytes[i] == 0xff ? 1U : 0U;
  return count;
}

}  // namespace millrace::jpeg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::jpeg {

HWY_EXPORT(copyUntilFfHere);
HWY_EXPORT(countFfHere);

std::size_t copyUntilFf(const std::uint8_t* from, std::size_t size, std::uint8_t* to) {
  return HWY_DYNAMIC_DISPATCH(copyUntilFfHere)(from, size, to);
}

std::size_t countFf(std::span<const std::uint8_t> bytes) {
  return HWY_DYNAMIC_DISPATCH(countFfHere)(bytes);
}

}  // namespace millrace::jpeg
#endif
