// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/codecs/jpeg/jpeg_head.h"

namespace millrace::jpeg {

/// A Huffman table made ready for decoding. `lookup` answers the next kLookupBits bits of the scan
/// with one or two symbols at once; `longEntry` answers for the codes that it leaves out.
///
/// A symbol is a run of zeros and the category of the coefficient behind it, whose `category` extra
/// bits follow the code (T.81, F.1.2). A step counts coefficients: the run and the coefficient.
class HuffmanTable {
 public:
  static constexpr int kLookupBits = 10;
  /// What a run counts as that is no run but the end of the block: behind any coefficient.
  static constexpr int kEndOfBlock = 127;

  /// One entry, from the lowest byte up:
  /// 0 bits that its symbols take, extra bits included, at most 24 (0: ask `longEntry`);
  /// 1 63 minus the extra bits of the last symbol that lie behind the looked-up ones (its sign
  /// never
  ///   does); 2 run before the first coefficient, or kEndOfBlock; 3 step from the first coefficient
  ///   to the second, 0 where there is one, kEndOfBlock + 1 where the block ends;
  /// 4, 5 value of the first coefficient, where there are two; 6, 7 value of the last, to which the
  /// extra bits of byte 1 are still to be added.
  using Entry = std::uint64_t;

  enum class Kind : std::uint8_t { Dc, Ac };

  /// False for a table that libjpeg-turbo refuses or reads in its own way: empty, over-subscribed,
  /// with a code of all ones, a DC category over 15. Does nothing when `spec` is the last one.
  bool build(const HuffmanSpec& spec, Kind kind);

  Entry lookup(std::uint64_t bits) const { return m_entries[bits >> (64 - kLookupBits)]; }

  /// One symbol whose code, with the sign behind it, is longer than the look-up: at most 31 bits,
  /// all of them seen. 0: no such code.
  Entry longEntry(std::uint64_t bits) const;

  struct Symbol {
    int length = 0;  ///< of the code; 0: no such code
    unsigned symbol = 0;
  };
  /// The symbol of the code at the top of `bits`, of any length.
  Symbol symbol(std::uint64_t bits) const;

 private:
  /// What the looked-up bits say about the symbol at their top.
  struct Known {
    std::uint8_t codeLength = 0;  ///< 0: no code of kLookupBits or fewer
    std::uint8_t symbol = 0;
    std::uint8_t bits = 0;    ///< of code and extra bits
    std::uint8_t needed = 0;  ///< of them to know the sign
    std::int16_t value = 0;   ///< with the extra bits that are out of sight taken as 0
  };
  bool assignCodes();
  void learn(std::int32_t code, int length, std::uint8_t symbol);
  void fillEntries(Kind kind);
  void fillLong();

  HuffmanSpec m_spec;
  bool m_usable = false;
  std::array<Entry, std::size_t{1} << kLookupBits> m_entries{};
  std::array<Known, std::size_t{1} << kLookupBits> m_known{};
  /// Length and symbol of the code at the top of 16 bits, from m_firstLong on: no shorter code is
  /// behind that. Tables that few encoders write have more of them; the rest is searched.
  static constexpr std::size_t kMostLong = 4096;
  struct LongCode {
    std::uint8_t length;
    std::uint8_t symbol;
  };
  std::array<LongCode, kMostLong> m_long{};
  std::size_t m_firstLong = 0;
  std::size_t m_longCount = 0;
  // Of each length: one more than its last code, and the symbol index of code 0.
  std::array<std::int32_t, 17> m_endCode{};
  std::array<std::int32_t, 17> m_symbolOffset{};
};

}  // namespace millrace::jpeg
