// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/codecs/jpeg/jpeg_head.h"

namespace millrace::jpeg {

/// A Huffman table prepared for decoding. `lookup` maps the next kLookupBits bits of the scan to
/// one or two symbols; `longEntry` handles longer codes.
///
/// A symbol is a run of zeros and the category of the following coefficient, whose `category` extra
/// bits follow the code (T.81, F.1.2). A step counts coefficients: the run plus the coefficient.
class HuffmanTable {
 public:
  static constexpr int kLookupBits = 10;
  /// The run that stands for the end of the block: it leads past every coefficient.
  static constexpr int kEndOfBlock = 127;

  /// One entry, from the lowest byte up:
  /// - 0: bits that its symbols take including extra bits, at most 24; 0: use longEntry();
  /// - 1: 63 minus the number of extra bits of the last symbol beyond the looked-up bits (never its
  ///   sign);
  /// - 2: run before the first coefficient, or kEndOfBlock;
  /// - 3: step from the first to the second coefficient; 0: there is only one; kEndOfBlock + 1: the
  ///   block ends;
  /// - 4, 5: value of the first coefficient if there are two;
  /// - 6, 7: value of the last coefficient, without the extra bits of byte 1.
  using Entry = std::uint64_t;

  enum class Kind : std::uint8_t { Dc, Ac };

  /// Returns false for a table that libjpeg-turbo rejects or reads in its own way: empty,
  /// over-subscribed, with a code of all ones, or a DC category above 15. Does nothing if `spec`
  /// equals the last one.
  bool build(const HuffmanSpec& spec, Kind kind);

  Entry lookup(std::uint64_t bits) const { return m_entries[bits >> (64 - kLookupBits)]; }

  /// One symbol whose code and sign are longer than the look-up: at most 31 bits, all of which must
  /// be valid. 0: no such code.
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
    std::uint8_t codeLength = 0;  ///< 0: no code of kLookupBits or fewer bits
    std::uint8_t symbol = 0;
    std::uint8_t bits = 0;    ///< of the code and its extra bits
    std::uint8_t needed = 0;  ///< the number of bits needed to know the sign
    std::int16_t value = 0;   ///< with the extra bits beyond the look-up taken as 0
  };
  bool assignCodes();
  void learn(std::int32_t code, int length, std::uint8_t symbol);
  void fillEntries(Kind kind);
  void fillLong();

  HuffmanSpec m_spec;
  bool m_usable = false;
  std::array<Entry, std::size_t{1} << kLookupBits> m_entries{};
  std::array<Known, std::size_t{1} << kLookupBits> m_known{};
  /// Length and symbol of the code at the top of 16 bits, for values from m_firstLong on; no
  /// shorter code follows. Tables of unusual encoders have more of them, which are searched.
  static constexpr std::size_t kMostLong = 4096;
  struct LongCode {
    std::uint8_t length;
    std::uint8_t symbol;
  };
  std::array<LongCode, kMostLong> m_long{};
  std::size_t m_firstLong = 0;
  std::size_t m_longCount = 0;
  // For each length: one more than its last code, and the symbol index of code 0.
  std::array<std::int32_t, 17> m_endCode{};
  std::array<std::int32_t, 17> m_symbolOffset{};
};

}  // namespace millrace::jpeg
