// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace millrace {

/// The `width` bits at bit `at`, least significant first; bits after the end are 0. At most 64.
std::uint64_t parquetBits(std::span<const std::byte> bytes, std::uint64_t at, unsigned width);

/// Reads Parquet's hybrid of run lengths and packed bits (apache/parquet-format, Encodings,
/// RLE), which codes levels, the numbers of dictionary entries, and booleans. Borrows the bytes;
/// one thread.
class HybridRuns {
 public:
  /// `width` bits per value, at most 32.
  HybridRuns(std::span<const std::byte> bytes, unsigned width) : m_bytes(bytes), m_width(width) {}

  /// Fills `to`; false if the bytes end before.
  bool read(std::span<std::uint32_t> to);

 private:
  bool nextRun();

  std::span<const std::byte> m_bytes;
  const unsigned m_width;
  std::uint64_t m_left = 0;  ///< values of the current run
  bool m_packed = false;
  std::uint32_t m_value = 0;           ///< of a run of equal values
  std::span<const std::byte> m_group;  ///< the bits of a packed run
  std::uint64_t m_bit = 0;             ///< within m_group
};

}  // namespace millrace
