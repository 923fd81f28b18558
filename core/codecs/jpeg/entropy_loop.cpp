// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
// The hot loop of reading photos: most of a pipeline's time is spent in decodeBlock. After a change
// check its assembly from both compilers: the bit buffer, its count, the position in the file, the
// block and the two tables must stay in registers from symbol to symbol.
//
// One turn looks up kLookupBits bits and gets one or two coefficients. The dependency chain to the
// next turn is short: look-up, shift of the buffer, look-up. Everything else runs in parallel
// without branches: extra bits that the look-up did not see are always added, even if there are
// none, and writes past the block go to a dump location (kDump) instead of being avoided.
//
// There are no vectors here. The per-target frame is used for BMI2, whose variable shifts need no
// fixed register and do not change the flags.
#include <bit>
#include <cstring>

#include "core/codecs/jpeg/block_layout.h"
#include "core/codecs/jpeg/entropy_decoder.h"

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/codecs/jpeg/entropy_loop.cpp"
#include <hwy/foreach_target.h>
// clang-format off
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace millrace::jpeg::HWY_NAMESPACE {
namespace {

/// Maps coefficient numbers to offsets in block_layout.h, for every number that a turn can reach:
/// at most 63, plus a run, plus a step of kEndOfBlock + 1.
constexpr auto kPlace = [] {
  std::array<std::uint16_t, 256> place{};
  place.fill(kDump);
  for (std::size_t k = 0; k < 64; ++k)
    place[k] = static_cast<std::uint16_t>(kNaturalOrder[k] / 8 * kGroupRow + kNaturalOrder[k] % 8);
  return place;
}();

std::uint64_t bigEndian(const std::uint8_t* bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (std::endian::native == std::endian::little) value = __builtin_bswap64(value);
  return value;
}

/// Refills to at least 56 bits without a branch: enough for two turns of at most 24 bits, or for a
/// long code of at most 31 bits and a turn. Only the low six bits of the count are used.
void refill(BitPlace& place) {
  place.bits |= bigEndian(place.next) >> (place.count & 63U);
  place.next += ~place.count >> 3U & 7U;
  place.count |= 56U;
}

unsigned byteOf(HuffmanTable::Entry entry, unsigned at) { return entry >> (8 * at) & 0xffU; }

/// A shift count from byte `at` of an entry, always below 64: the mask makes this known and costs
/// no instruction.
unsigned shiftOf(HuffmanTable::Entry entry, unsigned at) { return entry >> (8 * at) & 63U; }

/// Subtracts the whole entry from the count: only the low six bits of byte 0 are used.
void takeEntry(BitPlace& place, HuffmanTable::Entry entry) {
  place.bits <<= shiftOf(entry, 0);
  place.count -= static_cast<unsigned>(entry);
}

/// The last coefficient of an entry that was looked up with `bits`.
std::int16_t lastValue(std::uint64_t bits, HuffmanTable::Entry entry) {
  const std::uint64_t unseen = bits << HuffmanTable::kLookupBits >> 1U >> shiftOf(entry, 1);
  return static_cast<std::int16_t>((entry >> 48U) + unseen);
}

/// The numbers of the first and last coefficient of a turn; equal if there is only one.
struct Numbers {
  unsigned first;
  unsigned second;
};

/// The entry for the next bits; 0: no such code. Refills before a long code, so that a turn after
/// it needs no refill.
[[gnu::always_inline]] inline HuffmanTable::Entry nextEntry(const HuffmanTable& table,
                                                            BitPlace& place) {
  const HuffmanTable::Entry entry = table.lookup(place.bits);
  if (byteOf(entry, 0) != 0) [[likely]]
    return entry;
  refill(place);
  return table.longEntry(place.bits);
}

enum class Turn : std::uint8_t { Inside, Ends, Wrong };

/// Handles a turn that left the block. If the first symbol of a look-up was coefficient 63, the
/// second one belongs to the next block and its bits are returned.
Turn ends(const HuffmanTable& table, Numbers numbers, std::uint64_t before,
          HuffmanTable::Entry entry, BitPlace& place) {
  constexpr unsigned kLast = 63;
  if (numbers.first == kLast && numbers.second != kLast) [[unlikely]] {
    const HuffmanTable::Symbol first = table.symbol(before);
    const unsigned bits = static_cast<unsigned>(first.length) + (first.symbol & 15U);
    place.bits = before << bits;
    place.count += byteOf(entry, 0) - bits;
    return Turn::Ends;
  }
  // A run past coefficient 63 is an error and ends between 64 and 127: the end of a block counts
  // more than any run. Which of the two symbols it was is unpredictable, so there is no branch on
  // it.
  const bool pastLast = (numbers.first >> 6U == 1) | (numbers.second >> 6U == 1);
  return pastLast ? Turn::Wrong : Turn::Ends;
}

[[gnu::always_inline]] inline Turn acTurn(const HuffmanTable& table, BitPlace& place,
                                          unsigned& number, std::int16_t* block) {
  const HuffmanTable::Entry entry = nextEntry(table, place);
  if (entry == 0) [[unlikely]]
    return Turn::Wrong;
  const std::uint64_t before = place.bits;
  const Numbers numbers{number + byteOf(entry, 2), number + byteOf(entry, 2) + byteOf(entry, 3)};
  takeEntry(place, entry);
  // The last coefficient is written second: if there is only one it replaces the first.
  block[kPlace[numbers.first]] = static_cast<std::int16_t>(entry >> 32U);
  block[kPlace[numbers.second]] = lastValue(before, entry);
  number = numbers.second + 1;
  if (number < 64) [[likely]]
    return Turn::Inside;
  return ends(table, numbers, before, entry, place);
}

/// False if there is no such code.
[[gnu::always_inline]] inline bool dcTurn(const HuffmanTable& table, BitPlace& place,
                                          std::int32_t& predictor, std::int16_t* block) {
  const HuffmanTable::Entry entry = nextEntry(table, place);
  if (entry == 0) [[unlikely]]
    return false;
  // Only 16 bits are used, so the sum may wrap.
  predictor = static_cast<std::int16_t>(predictor + lastValue(place.bits, entry));
  takeEntry(place, entry);
  block[0] = static_cast<std::int16_t>(predictor);
  return true;
}

[[gnu::always_inline]] inline bool decodeBlock(const McuTables::Block& tables, BitPlace& place,
                                               std::int32_t& predictor, std::int16_t* block) {
  refill(place);
  if (!dcTurn(*tables.dc, place, predictor, block)) return false;
  const HuffmanTable& ac = *tables.ac;
  unsigned number = 1;
  Turn turn = acTurn(ac, place, number, block);
  while (turn == Turn::Inside) {
    refill(place);
    turn = acTurn(ac, place, number, block);
    if (turn != Turn::Inside) break;
    turn = acTurn(ac, place, number, block);
  }
  return turn == Turn::Ends;
}

template <bool kKeep>
bool decodeAll(const McuTables& tables, std::size_t mcus, BitPlace& at, Predictors& predictors,
               std::int16_t* coefficients, const std::uint32_t* targets) {
  BitPlace place = at;
  std::int16_t scratch[kGroupStride];
  for (std::size_t mcu = 0; mcu < mcus; ++mcu) {
    for (std::size_t i = 0; i < tables.count; ++i) {
      const McuTables::Block& block = tables.blocks[i];
      std::int16_t* const to = kKeep ? coefficients + *targets++ : scratch;
      if (!decodeBlock(block, place, predictors[block.component], to)) return false;
    }
    place.count &= 63U;
    if ((place.end - place.next) * 8 + static_cast<std::ptrdiff_t>(place.count) < 0) return false;
  }
  at = place;
  return true;
}

}  // namespace

bool decodeMcusHere(const McuTables& tables, std::size_t mcus, BitPlace& place,
                    Predictors& predictors, std::int16_t* coefficients,
                    const std::uint32_t* targets) {
  return decodeAll<true>(tables, mcus, place, predictors, coefficients, targets);
}

bool skipMcusHere(const McuTables& tables, std::size_t mcus, BitPlace& place,
                  Predictors& predictors) {
  return decodeAll<false>(tables, mcus, place, predictors, nullptr, nullptr);
}

}  // namespace millrace::jpeg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace millrace::jpeg {

HWY_EXPORT(decodeMcusHere);
HWY_EXPORT(skipMcusHere);

bool decodeMcus(const McuTables& tables, std::size_t mcus, BitPlace& place, Predictors& predictors,
                std::int16_t* coefficients, const std::uint32_t* targets) {
  return HWY_DYNAMIC_DISPATCH(decodeMcusHere)(tables, mcus, place, predictors, coefficients,
                                              targets);
}

bool skipMcus(const McuTables& tables, std::size_t mcus, BitPlace& place, Predictors& predictors) {
  return HWY_DYNAMIC_DISPATCH(skipMcusHere)(tables, mcus, place, predictors);
}

}  // namespace millrace::jpeg
#endif
