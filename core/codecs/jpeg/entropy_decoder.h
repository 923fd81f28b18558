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

/// A position in the scan: `count` bits are valid at the top of `bits` (there may be more, which
/// equal those of the next refill), the rest starts at `next`.
struct BitPlace {
  std::uint64_t bits = 0;
  unsigned count = 0;
  const std::uint8_t* next = nullptr;
  const std::uint8_t* end = nullptr;  ///< of the segment; reading past it is safe, consuming is an
                                      ///< error
};

/// The tables for the blocks of an MCU, in order.
struct McuTables {
  struct Block {
    const HuffmanTable* dc = nullptr;
    const HuffmanTable* ac = nullptr;
    std::size_t component = 0;
  };
  std::array<Block, kMaxMcuBlocks> blocks;
  std::size_t count = 0;
};

/// DC predictors, one per component.
using Predictors = std::array<std::int32_t, 3>;

/// A position between two MCUs where decoding can start.
struct ScanPlace {
  /// Bit offset in the scan's unmodified bytes, including stuffing and markers; the
  /// highest bit of a byte comes first.
  std::uint64_t bit = 0;
  Predictors predictors{};  ///< 16 bits each
  bool operator==(const ScanPlace&) const = default;
};

/// The hot loop: decodes `mcus` MCUs from `place`. Block i of all of them goes to coefficients +
/// targets[i], in the layout of block_layout.h; those blocks must be zero. Returns false for
/// anything but valid data that does not exceed its segment; what was written is meaningless then.
/// Never reads past the padding after the segments; each iteration consumes at least one bit.
bool decodeMcus(const McuTables& tables, std::size_t mcus, BitPlace& place, Predictors& predictors,
                std::int16_t* coefficients, const std::uint32_t* targets);
/// The same for MCUs whose coefficients are not needed.
bool skipMcus(const McuTables& tables, std::size_t mcus, BitPlace& place, Predictors& predictors);

/// Decodes the MCUs of a scan in order, across restart markers. For use by one thread; keeps its
/// memory. If the data violates the format a call returns false, and the decoder cannot be used
/// further.
class EntropyDecoder {
 public:
  /// DecodeRoute::Own, or why the tables are not supported.
  DecodeRoute setTables(const Head& head);
  /// Starts at the first MCU of the scan in `data`.
  void begin(const Head& head, std::span<const std::byte> data) { begin(head, data, {}, 0); }
  /// Starts at MCU `mcu`, for which tellPlace() returned `place`. Any other place in `data` is safe
  /// too, but what is decoded from it is meaningless.
  void begin(const Head& head, std::span<const std::byte> data, const ScanPlace& place,
             std::size_t mcu);

  bool decode(std::size_t mcus, std::int16_t* coefficients, const std::uint32_t* targets);
  bool skip(std::size_t mcus);
  /// The position of the next MCU, which must exist; false if its segment cannot be started.
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
  std::size_t m_origin = 0;  ///< offset of m_scan's bytes in the scan
  BitPlace m_place;
  Predictors m_predictors{};
  std::size_t m_interval = 0;
  std::size_t m_leftInSegment = 0;
  std::size_t m_segment = 0;
  // For the segment: bytes searched for removed stuffing, and the number of stuffed bytes.
  std::size_t m_searched = 0;
  std::size_t m_stuffed = 0;
};

}  // namespace millrace::jpeg
