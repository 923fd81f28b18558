// SPDX-FileCopyrightText: 2026 The Millrace developers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/data/buffer.h"

namespace millrace::jpeg {

/// The entropy-coded bytes of a scan without their stuffing (a 0 behind each 0xff), parted where
/// restart markers stood. Keeps its memory, never more than the file has bytes and kPadding.
class ScanBytes {
 public:
  /// Zeros behind the last segment: decoders look at their place once an MCU, and no MCU takes more
  /// than 6 blocks of 64 symbols of 31 bits.
  static constexpr std::size_t kPadding = 4096;

  /// Copies from `data` up to the end or the first marker; with `restarts`, restart markers in
  /// sequence part segments instead. `firstSegment`: which of the scan's `data` begins in.
  void assign(std::span<const std::byte> data, bool restarts, std::size_t firstSegment = 0);

  std::size_t segments() const { return m_ends.size(); }
  /// Bytes of segment `i`. Reading on is safe: other segments follow, then kPadding zeros.
  std::span<const std::uint8_t> segment(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
    return {reinterpret_cast<const std::uint8_t*>(m_bytes.data()) + begin, m_ends[i] - begin};
  }
  /// Where segment `i` begins in the data that was assigned.
  std::size_t origin(std::size_t i) const { return i == 0 ? 0 : m_origins[i - 1]; }

 private:
  Buffer m_bytes;
  std::vector<std::size_t> m_ends;
  std::vector<std::size_t> m_origins;  ///< of all segments but the first
};

/// Copies `from` to `to` up to the first 0xff or `end`, in steps of whole vectors, so up to
/// kCopyOverrun bytes behind what it says are written too. Returns the number of bytes before it.
std::size_t copyUntilFf(const std::uint8_t* from, std::size_t size, std::uint8_t* to);
constexpr std::size_t kCopyOverrun = 64;

/// How many of `bytes` are 0xff.
std::size_t countFf(std::span<const std::uint8_t> bytes);

}  // namespace millrace::jpeg
