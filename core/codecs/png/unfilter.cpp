// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/png/unfilter.h"

#include <cstring>

// With AVX-512 a comparison goes to a mask register and back, which takes longer than the rest of
// the dependency chain: such machines use the AVX2 code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/codecs/png/unfilter.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::png::HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBlock = 16;
using D16 = hn::FixedTag<std::uint8_t, kBlock>;
using V16 = hn::Vec<D16>;

/// The bytes of whole pixels in a block.
template <int kPixel>
constexpr std::size_t kStep = kBlock - kBlock % kPixel;

/// One block of a row, with zeros after its end.
HWY_INLINE V16 load(const std::uint8_t* row, std::size_t at, std::size_t bytes) {
  if (at + kBlock <= bytes) return hn::LoadU(D16(), row + at);
  alignas(kBlock) std::uint8_t part[kBlock] = {};
  if (at < bytes) std::memcpy(part, row + at, bytes - at);
  return hn::Load(D16(), part);
}

/// Stores the whole pixels of a block. The bytes after them may still be needed, so their old value
/// `behind` is written back.
template <int kPixel>
HWY_INLINE void store(V16 plain, V16 behind, std::uint8_t* row, std::size_t at, std::size_t bytes) {
  const D16 d;
  if (at + kBlock <= bytes) {
    if constexpr (kStep<kPixel> != kBlock)
      plain = hn::IfThenElse(hn::FirstN(d, kStep<kPixel>), plain, behind);
    hn::StoreU(plain, d, row + at);
    return;
  }
  alignas(kBlock) std::uint8_t part[kBlock];
  hn::Store(plain, d, part);
  std::memcpy(row + at, part, bytes - at < kStep<kPixel> ? bytes - at : kStep<kPixel>);
}

/// A block shifted by one pixel; the last pixel of the previous block comes first.
template <int kPixel, class D>
HWY_INLINE hn::Vec<D> movedOn(D d, hn::Vec<D> block, hn::Vec<D> before) {
  return hn::CombineShiftRightBytes<kBlock - kPixel>(d, block, before);
}

/// A block in the form of the previous block: its last whole pixel at the very end.
template <int kPixel, class D>
HWY_INLINE hn::Vec<D> asBefore(D d, hn::Vec<D> block) {
  if constexpr (kStep<kPixel> == kBlock)
    return block;
  else
    return hn::ShiftLeftBytes<kBlock - kStep<kPixel>>(d, block);
}

/// The Paeth filter of one block, split by ranges of the left byte. All bytes have the highest bit
/// flipped so that signed comparisons order them. Let b be the byte above and c the corner. With b
/// >= c the predictor is c for a left byte in (2c - (2b - c), c - (b - c) / 2), b from there up to
/// b, else the left byte; with b < c it is b up to c + (c - b) / 2, c from there up to 3c - 2b,
/// else the left byte.
template <class D>
struct Ranges {
  using V = hn::Vec<D>;
  using I = hn::RebindToSigned<D>;

  HWY_INLINE Ranges(D d, V filtered, V above, V corner) : x(filtered) {
    const V one = hn::Set(d, 1);
    const V sign = hn::Set(d, 0x80);
    const V smaller = hn::Min(above, corner);
    const V larger = hn::Max(above, corner);
    const V gap = hn::Sub(larger, smaller);
    const auto rises = hn::Eq(smaller, corner);
    const V below = hn::IfThenElseZero(rises, gap);
    const V beyond = hn::IfThenZeroElse(rises, gap);
    const V low = hn::SaturatedSub(hn::SaturatedSub(hn::SaturatedAdd(smaller, one), below), below);
    const V high =
        hn::SaturatedAdd(hn::SaturatedAdd(hn::SaturatedSub(larger, one), beyond), beyond);
    const V half = hn::AverageRound(hn::SaturatedSub(gap, one), hn::Zero(d));
    const V reach = hn::SaturatedAdd(larger, half);
    const V parting =
        hn::IfThenElse(rises, hn::SaturatedSub(smaller, half), hn::SaturatedAdd(reach, one));
    // No byte is above a reach of 255, which `parting` cannot express.
    const auto all = hn::AndNot(rises, hn::Eq(reach, hn::Set(d, 255)));
    const V upper = hn::IfThenElse(all, smaller, larger);
    const V flipped = hn::Xor(x, sign);
    withSmaller = hn::Add(flipped, smaller);
    withLarger = hn::Add(flipped, upper);
    lowest = hn::BitCast(I(), hn::Xor(low, sign));
    highest = hn::BitCast(I(), hn::Xor(high, sign));
    parts = hn::BitCast(I(), hn::Xor(parting, sign));
  }

  HWY_INLINE V plain(D d, V left) const {
    const auto a = hn::BitCast(I(), left);
    const auto outside = hn::Or(hn::Gt(a, highest), hn::Gt(lowest, a));
    const auto isSmaller = hn::Gt(parts, a);
    const V inside = hn::IfThenElse(hn::RebindMask(d, isSmaller), withSmaller, withLarger);
    return hn::IfThenElse(hn::RebindMask(d, outside), hn::Add(left, x), inside);
  }

  V x, withSmaller, withLarger;
  hn::Vec<I> lowest, highest, parts;
};

/// What a lane's bytes are xored with during the loop: for Paeth the highest bit is flipped; for
/// Average all bits, because the instruction rounds up, and 255 minus the average then rounds down.
constexpr std::uint8_t kPaethFlip = 0x80;
constexpr std::uint8_t kAverageFlip = 0xff;

enum class Lanes : std::uint8_t { Paeth, Average, Mixed };

/// Prefix sums of a block's pixels.
template <int kPixel, class D>
HWY_INLINE hn::Vec<D> sums(D d, hn::Vec<D> x) {
  x = hn::Add(x, hn::ShiftLeftBytes<kPixel>(d, x));
  x = hn::Add(x, hn::ShiftLeftBytes<2 * kPixel>(d, x));
  if constexpr (4 * kPixel < kBlock) x = hn::Add(x, hn::ShiftLeftBytes<4 * kPixel>(d, x));
  if constexpr (8 * kPixel < kBlock) x = hn::Add(x, hn::ShiftLeftBytes<8 * kPixel>(d, x));
  return x;
}

/// The last pixel of a block from asBefore(), repeated over the block.
template <int kPixel, class D>
HWY_INLINE hn::Vec<D> lastPixel(D d, hn::Vec<D> before) {
  alignas(2 * kBlock) std::uint8_t from[2 * kBlock];
  for (std::size_t i = 0; i < 2 * kBlock; ++i)
    from[i] = static_cast<std::uint8_t>(kBlock - kPixel + i % kBlock % kPixel);
  return hn::TableLookupBytes(before, hn::Load(d, from));
}

/// One block (in each half), given its left neighbour's last pixel. Each round completes one more
/// pixel.
template <int kPixel, Lanes kLanes, class D>
HWY_INLINE hn::Vec<D> alongBlock(D d, hn::Vec<D> x, hn::Vec<D> above, hn::Vec<D> corner,
                                 hn::Vec<D> before, hn::Vec<D> flip) {
  using V = hn::Vec<D>;
  // If the row above does not change, Paeth's predictor is the left byte; this is common in masks.
  // With larger pixels a block takes no longer than a mispredicted branch.
  if constexpr (kLanes == Lanes::Paeth && kPixel <= 2)
    if (hn::AllTrue(d, hn::Eq(above, corner)))
      return hn::Add(sums<kPixel>(d, x), lastPixel<kPixel>(d, before));
  const Ranges<D> ranges(d, x, above, corner);
  const V notAbove = hn::Xor(above, hn::Set(d, kAverageFlip));
  const auto isAverage = hn::Eq(flip, hn::Set(d, kAverageFlip));
  V plain = hn::Zero(d);
  for (std::size_t i = 0; i < kStep<kPixel> / kPixel; ++i) {
    const V left = movedOn<kPixel>(d, plain, before);
    if constexpr (kLanes == Lanes::Paeth)
      plain = ranges.plain(d, left);
    else if constexpr (kLanes == Lanes::Average)
      plain = hn::Sub(hn::AverageRound(left, notAbove), x);
    else
      plain = hn::IfThenElse(isAverage, hn::Sub(hn::AverageRound(left, notAbove), x),
                             ranges.plain(d, left));
  }
  return plain;
}

template <int kPixel, Lanes kLanes>
void alongRow(const FilteredRow& row, const std::uint8_t* above, std::size_t bytes) {
  const D16 d;
  const V16 flip = hn::Set(d, kLanes == Lanes::Paeth ? kPaethFlip : kAverageFlip);
  V16 before = flip;
  V16 aboveBefore = hn::Zero(d);
  for (std::size_t at = 0; at < bytes; at += kStep<kPixel>) {
    const V16 x = load(row.from, at, bytes);
    const V16 b = load(above, at, bytes);
    const V16 corner = movedOn<kPixel>(d, b, aboveBefore);
    const V16 plain = alongBlock<kPixel, kLanes>(d, x, b, corner, before, flip);
    store<kPixel>(hn::Xor(plain, flip), x, row.to, at, bytes);
    before = asBefore<kPixel>(d, plain);
    aboveBefore = asBefore<kPixel>(d, b);
  }
}

template <int kPixel>
void subRow(const FilteredRow& row, std::size_t bytes) {
  const D16 d;
  V16 left = hn::Zero(d);
  for (std::size_t at = 0; at < bytes; at += kStep<kPixel>) {
    const V16 x = load(row.from, at, bytes);
    const V16 sum = hn::Add(sums<kPixel>(d, x), left);
    store<kPixel>(sum, x, row.to, at, bytes);
    left = lastPixel<kPixel>(d, asBefore<kPixel>(d, sum));
  }
}

void upRow(const FilteredRow& row, const std::uint8_t* above, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kBlock) {
    const V16 x = load(row.from, at, bytes);
    store<1>(hn::Add(x, load(above, at, bytes)), x, row.to, at, bytes);
  }
}

bool goesAlong(Filter filter) { return filter == Filter::Average || filter == Filter::Paeth; }

#if HWY_MAX_BYTES >= 32

using D32 = hn::FixedTag<std::uint8_t, 2 * kBlock>;
using V32 = hn::Vec<D32>;

/// Processes two rows together, the upper one in the lower half. The lower row is two blocks
/// behind: one block so that its row above is complete, one more so that its ranges can be computed
/// meanwhile.
template <int kPixel, Lanes kLanes>
void alongRows(const FilteredRow* rows, const std::uint8_t* above, std::size_t bytes) {
  constexpr std::size_t kBehind = 2;
  const D32 d;
  const auto flipOf = [](const FilteredRow& row) {
    return hn::Set(D16(), row.filter == Filter::Paeth ? kPaethFlip : kAverageFlip);
  };
  const V32 flip = hn::Combine(d, flipOf(rows[1]), flipOf(rows[0]));
  V32 before = flip;
  V32 aboveBefore = hn::Zero(d);
  V16 made = hn::Zero(D16());        // Of the upper row, one block ago.
  V16 aboveLower = hn::Zero(D16());  // The same, two blocks ago.
  const std::size_t blocks = (bytes + kStep<kPixel> - 1) / kStep<kPixel>;
  for (std::size_t i = 0; i < blocks + kBehind; ++i) {
    const std::size_t at = i * kStep<kPixel>;
    const bool hasLower = i >= kBehind;
    const std::size_t lowerAt = hasLower ? at - kBehind * kStep<kPixel> : bytes;
    const V16 upperX = load(rows[0].from, at, bytes);
    const V16 lowerX = load(rows[1].from, lowerAt, bytes);
    const V32 b = hn::Combine(d, aboveLower, load(above, at, bytes));
    const V32 corner = movedOn<kPixel>(d, b, aboveBefore);
    const V32 plain =
        alongBlock<kPixel, kLanes>(d, hn::Combine(d, lowerX, upperX), b, corner, before, flip);
    const V32 result = hn::Xor(plain, flip);
    aboveLower = made;
    made = hn::LowerHalf(D16(), result);
    if (at < bytes) store<kPixel>(made, upperX, rows[0].to, at, bytes);
    if (hasLower) store<kPixel>(hn::UpperHalf(D16(), result), lowerX, rows[1].to, lowerAt, bytes);
    before = asBefore<kPixel>(d, plain);
    aboveBefore = asBefore<kPixel>(d, b);
    if (i + 1 == kBehind) {  // The lower row starts.
      before = hn::Combine(d, hn::UpperHalf(D16(), flip), hn::LowerHalf(D16(), before));
      aboveBefore = hn::Combine(d, hn::Zero(D16()), hn::LowerHalf(D16(), aboveBefore));
    }
  }
}

/// Processes the next two rows if both have a filter that goes from pixel to pixel.
template <int kPixel>
bool takesTwo(std::span<const FilteredRow> rows, const std::uint8_t* above, std::size_t bytes) {
  if (rows.size() < 2 || !goesAlong(rows[0].filter) || !goesAlong(rows[1].filter)) return false;
  if (rows[0].filter != rows[1].filter)
    alongRows<kPixel, Lanes::Mixed>(rows.data(), above, bytes);
  else if (rows[0].filter == Filter::Paeth)
    alongRows<kPixel, Lanes::Paeth>(rows.data(), above, bytes);
  else
    alongRows<kPixel, Lanes::Average>(rows.data(), above, bytes);
  return true;
}

#else

template <int kPixel>
bool takesTwo(std::span<const FilteredRow>, const std::uint8_t*, std::size_t) {
  return false;
}

#endif

template <int kPixel>
void oneRow(const FilteredRow& row, const std::uint8_t* above, std::size_t bytes) {
  switch (row.filter) {
    case Filter::None:
      if (row.to != row.from) std::memcpy(row.to, row.from, bytes);
      return;
    case Filter::Sub: subRow<kPixel>(row, bytes); return;
    case Filter::Up: upRow(row, above, bytes); return;
    case Filter::Average: alongRow<kPixel, Lanes::Average>(row, above, bytes); return;
    case Filter::Paeth: alongRow<kPixel, Lanes::Paeth>(row, above, bytes); return;
  }
}

template <int kPixel>
void allRows(std::span<const FilteredRow> rows, const std::uint8_t* above, std::size_t bytes) {
  while (!rows.empty()) {
    const bool two = takesTwo<kPixel>(rows, above, bytes);
    if (!two) oneRow<kPixel>(rows[0], above, bytes);
    above = rows[two ? 1 : 0].to;
    rows = rows.subspan(two ? 2 : 1);
  }
}

void unfilterHere(std::span<const FilteredRow> rows, const std::uint8_t* above,
                  std::size_t pixelBytes, std::size_t bytes) {
  switch (pixelBytes) {
    case 1: allRows<1>(rows, above, bytes); return;
    case 2: allRows<2>(rows, above, bytes); return;
    case 3: allRows<3>(rows, above, bytes); return;
    default: allRows<4>(rows, above, bytes); return;
  }
}

#else

void unfilterHere(std::span<const FilteredRow> rows, const std::uint8_t* above,
                  std::size_t pixelBytes, std::size_t bytes) {
  plain::unfilter(rows, above, pixelBytes, bytes);
}

#endif

}  // namespace millrace::png::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::png {

HWY_EXPORT(unfilterHere);

void unfilter(std::span<const FilteredRow> rows, const std::uint8_t* above, std::size_t pixelBytes,
              std::size_t bytes) {
  HWY_DYNAMIC_DISPATCH(unfilterHere)(rows, above, pixelBytes, bytes);
}

}  // namespace millrace::png
#endif
