// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "core/codecs/jpeg/huffman_table.h"
#include "core/codecs/jpeg/jpeg_head.h"
#include "core/codecs/jpeg/scan_bytes.h"

namespace millrace::jpeg {

constexpr std::size_t kMaxMcuBlocks = 6;

/// Where the scan is being read: `count` bits are valid at the top of `bits` (more may be there,
/// they are the same that the next refill brings), the rest starts at `next`.
struct BitPlace {
  std::uint64_t bits = 0;
  unsigned count = 0;
  const std::uint8_t* next = nullptr;
  const std::uint8_t* end = nullptr;  ///< of the segment; reading on is safe, taking is an error
};

/// What the blocks of an MCU are decoded with, in their order.
struct McuTables {
  struct Block {
    const HuffmanTable* dc = nullptr;
    const HuffmanTable* ac = nullptr;
    std::size_t component = 0;
  };
  std::array<Block, kMaxMcuBlocks> blocks;
  std::size_t count = 0;
};

/// DC predictors, one a component.
using Predictors = std::array<std::int32_t, 3>;

/// A place between two MCUs at which decoding can begin.
struct ScanPlace {
  /// Of the scan's bytes as they are in the file, stuffing and markers too; a byte's highest first.
  std::uint64_t bit = 0;
  Predictors predictors{};  ///< of 16 bits each
  bool operator==(const ScanPlace&) const = default;
};

/// The hot loop: `mcus` MCUs from `place`, block i of all of them to coefficients + targets[i],
/// laid out after block_layout.h; those blocks are zero before. False for anything but sound data
/// that fills its segment at most; what was written then means nothing.
/// Never reads past the padding behind the segments; every turn takes at least one bit.
bool decodeMcus(const McuTables& tables, std::size_t mcus, BitPlace& place, Predictors& predictors,
                std::int16_t* coefficients, const std::uint32_t* targets);
/// The same for MCUs whose coefficients nobody wants.
bool skipMcus(const McuTables& tables, std::size_t mcus, BitPlace& place, Predictors& predictors);

/// Decodes the MCUs of a scan one after another, across restart markers. One thread; keeps its
/// memory. A broken promise of the file makes a call return false, and then the decoder is done.
class EntropyDecoder {
 public:
  /// DecodeRoute::Own, or why the tables are not for us.
  DecodeRoute setTables(const Head& head);
  /// Begins at the first MCU of the scan in `data`.
  void begin(const Head& head, std::span<const std::byte> data) { begin(head, data, {}, 0); }
  /// Begins at MCU `mcu`, in front of which tellPlace gave `place`. Any other place in `data` is
  /// safe too, and what is decoded from it means nothing.
  void begin(const Head& head, std::span<const std::byte> data, const ScanPlace& place,
             std::size_t mcu);

  bool decode(std::size_t mcus, std::int16_t* coefficients, const std::uint32_t* targets);
  bool skip(std::size_t mcus);
  /// Where the next MCU begins, which there must be; false where its segment cannot be begun.
  bool tellPlace(ScanPlace& place);

  std::size_t blocksPerMcu() const { return m_tables.count; }

 private:
  template <class Step>
  bool run(std::size_t mcus, Step&& step);
  void openSegment(std::size_t i);
  bool nextSegment();

  std::array<HuffmanTable, 4> m_dc;
  std::array<HuffmanTable, 4> m_ac;
  McuTables m_tables;
  ScanBytes m_scan;
  std::size_t m_origin = 0;  ///< of m_scan's bytes in the scan
  BitPlace m_place;
  Predictors m_predictors{};
  std::size_t m_interval = 0;
  std::size_t m_leftInSegment = 0;
  std::size_t m_segment = 0;
  // Of the segment: bytes looked through for stuffing that was taken out, and how many had it.
  std::size_t m_searched = 0;
  std::size_t m_stuffed = 0;
};

}  // namespace millrace::jpeg
