// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#include "core/codecs/jpeg/huffman_table.h"

#include <algorithm>

namespace millrace::jpeg {
namespace {

constexpr int kBits = HuffmanTable::kLookupBits;
constexpr unsigned kLookupMask = (1U << static_cast<unsigned>(kBits)) - 1U;
constexpr int kLongestCode = 16;

using Entry = HuffmanTable::Entry;

Entry byteAt(unsigned at, int value) {
  return static_cast<Entry>(static_cast<std::uint8_t>(value)) << (8 * at);
}

Entry wordAt(unsigned at, int value) {
  return static_cast<Entry>(static_cast<std::uint16_t>(value)) << (8 * at);
}

/// Run of an AC symbol; category 0 ends the block, except for the run of 16 zeros.
int runOf(unsigned symbol) {
  const auto run = static_cast<int>(symbol >> 4U);
  return (symbol & 15U) == 0 && run != 15 ? HuffmanTable::kEndOfBlock : run;
}

}  // namespace

bool HuffmanTable::build(const HuffmanSpec& spec, Kind kind) {
  if (spec == m_spec) return m_usable;
  m_spec = spec;
  m_usable = assignCodes();
  if (m_usable && kind == Kind::Dc) {
    std::size_t codes = 0;
    for (const std::uint8_t count : spec.counts) codes += count;
    m_usable = std::all_of(spec.symbols.begin(), spec.symbols.begin() + codes,
                           [](std::uint8_t category) { return category <= 15; });
  }
  if (!m_usable) return false;
  fillEntries(kind);
  fillLong();
  return true;
}

/// T.81, annex C; the library's jpeg_make_d_derived_tbl rejects the same tables.
bool HuffmanTable::assignCodes() {
  m_known.fill({});
  std::int32_t code = 0;
  std::int32_t symbol = 0;
  for (int length = 1; length <= kLongestCode; ++length, code <<= 1) {
    const auto at = static_cast<std::size_t>(length);
    m_symbolOffset[at] = symbol - code;
    for (int i = 0; i < m_spec.counts[at]; ++i, ++code, ++symbol) {
      if (code + 1 >= 1 << length) return false;
      if (length <= kBits) learn(code, length, m_spec.symbols[static_cast<std::size_t>(symbol)]);
    }
    m_endCode[at] = code;
  }
  return symbol > 0;
}

/// The extra bits are the magnitude of a positive coefficient, or the complement of a negative
/// one's (T.81, table F.1), so the value is the known part plus the bits beyond the look-up.
void HuffmanTable::learn(std::int32_t code, int length, std::uint8_t symbol) {
  const int category = symbol & 15;
  const int seen = std::min(category, kBits - length);
  const int copies = 1 << (kBits - length - seen);
  Known known{static_cast<std::uint8_t>(length), symbol,
              static_cast<std::uint8_t>(length + category),
              static_cast<std::uint8_t>(length + (category > 0 ? 1 : 0)), 0};
  auto* at = m_known.data() + (code << (kBits - length));
  for (int extra = 0; extra < 1 << seen; ++extra, at += copies) {
    const bool negative = extra << 1 >> seen == 0 && category > 0;
    const int value = extra << (category - seen);
    known.value = static_cast<std::int16_t>(negative ? value - (1 << category) + 1 : value);
    std::fill_n(at, copies, known);
  }
}

void HuffmanTable::fillEntries(Kind kind) {
  for (unsigned index = 0; index <= kLookupMask; ++index) {
    const Known& first = m_known[index];
    m_entries[index] = 0;
    if (first.codeLength == 0 || first.needed > kBits) continue;
    const int run = kind == Kind::Ac ? runOf(first.symbol) : 0;
    int bits = first.bits;
    int step = 0;
    std::int16_t last = first.value;
    if (kind == Kind::Ac && bits < kBits && run != kEndOfBlock) {
      const Known& second = m_known[index << static_cast<unsigned>(bits) & kLookupMask];
      if (second.codeLength > 0 && second.needed <= kBits - bits) {
        step = 1 + runOf(second.symbol);
        bits += second.bits;
        last = second.value;
      }
    }
    m_entries[index] = byteAt(0, bits) | byteAt(1, 63 - std::max(bits - kBits, 0)) |
                       byteAt(2, run) | byteAt(3, step) | wordAt(4, first.value) | wordAt(6, last);
  }
}

/// Codes are sorted by length, so those that the look-up cannot hold come last.
void HuffmanTable::fillLong() {
  constexpr std::size_t kCodes = std::size_t{1} << kLongestCode;
  const auto firstOf = static_cast<std::size_t>(m_endCode[kBits - 1]);
  m_firstLong = firstOf << (kLongestCode - kBits + 1);
  m_longCount = std::min(kMostLong, kCodes - m_firstLong);
  auto* at = m_long.data();
  auto* const end = at + m_longCount;
  std::size_t next = 0;
  for (int length = 1; length < kBits; ++length)
    next += m_spec.counts[static_cast<std::size_t>(length)];
  for (int length = kBits; length <= kLongestCode; ++length) {
    const auto copies = std::ptrdiff_t{1} << (kLongestCode - length);
    for (int i = 0; i < m_spec.counts[static_cast<std::size_t>(length)]; ++i, ++next) {
      const LongCode code{static_cast<std::uint8_t>(length), m_spec.symbols[next]};
      at = std::fill_n(at, std::min(copies, end - at), code);
    }
  }
  std::fill(at, end, LongCode{});
}

Entry HuffmanTable::longEntry(std::uint64_t bits) const {
  const std::size_t at = (bits >> (64 - kLongestCode)) - m_firstLong;
  const Symbol found =
      at < m_longCount ? Symbol{m_long[at].length, m_long[at].symbol} : symbol(bits);
  if (found.length == 0) return 0;
  const auto category = static_cast<int>(found.symbol & 15U);
  const std::uint64_t extra = bits << static_cast<unsigned>(found.length);
  const auto size = static_cast<int>(extra >> 1U >> static_cast<unsigned>(63 - category));
  const bool negative = category > 0 && extra >> 63U == 0;
  const int value = negative ? size - (1 << category) + 1 : size;
  return byteAt(0, found.length + category) | byteAt(1, 63) | byteAt(2, runOf(found.symbol)) |
         wordAt(4, value) | wordAt(6, value);
}

HuffmanTable::Symbol HuffmanTable::symbol(std::uint64_t bits) const {
  const Known& known = m_known[bits >> (64 - kBits)];
  if (known.codeLength > 0) return {known.codeLength, known.symbol};
  for (int length = kBits + 1; length <= kLongestCode; ++length) {
    const auto code = static_cast<std::int32_t>(bits >> static_cast<unsigned>(64 - length));
    const auto at = static_cast<std::size_t>(length);
    if (code < m_endCode[at])
      return {length, m_spec.symbols[static_cast<std::size_t>(code + m_symbolOffset[at])]};
  }
  return {};
}

}  // namespace millrace::jpeg
